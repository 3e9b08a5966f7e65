/**
 * For one page in the browser, in milliseconds. In a file of its own so that a command's flags need not load
 * a browser.
 */
export const LOOK_TIME_LIMIT = 60 * 1000;
