/** By whose habits dates and numbers are written. Apart from the texts, which are written with numbers in them. */
let tag = 'en';

/** Of a language of the page: by the habits of the reader's region (`en-GB`) where the browser tells it. */
export function setLocale(language: string, wanted: readonly string[]): void {
  tag = wanted.find((one) => one.split('-', 1)[0] === language && isTag(one)) ?? language;
}

export const locale = (): string => tag;

/** Browsers hand on what the system says: `en-US@posix` is no tag of a language, and would make no date at all. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}
