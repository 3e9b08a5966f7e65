/** Unix time, or a length of time, in seconds: what the science counts in. */
export type Seconds = number;
