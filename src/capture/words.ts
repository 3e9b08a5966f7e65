/** A set of words, written as one line of text. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
