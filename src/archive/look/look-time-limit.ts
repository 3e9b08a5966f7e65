/** Milliseconds for one page in the browser. Apart: the flags of a command need not load a browser. */
export const LOOK_TIME_LIMIT = 60 * 1000;
