/** Milliseconds since the Unix epoch, UTC. Every time in the model is one. */
export type Millis = number;

/** Unix time, or a length of time, in seconds: what the science counts in. */
export type Seconds = number;
