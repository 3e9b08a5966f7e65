import { en } from './en.ts';
import { setLocale } from './locale.ts';

/** Every text that the page shows, as English has it: a language that lacks one does not compile. */
export type Texts = typeof en;

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
const KEPT = 'daguerre-language';

/** The texts in the reader's language. It is chosen before anything is shown, and changing it loads the page anew. */
export let t: Texts = en;
export let language: Language = 'en';

export async function chooseLanguage(): Promise<void> {
  language = chosen(kept(), navigator.languages);
  setLocale(language, navigator.languages);
  if (language === 'de') t = (await import('./de.ts')).de;
  document.documentElement.lang = language;
}

export function chosen(before: string | null, wanted: readonly string[]): Language {
  const known = [before ?? '', ...wanted.map((tag) => tag.split('-', 1)[0] ?? '')];
  return known.find((one): one is Language => Object.hasOwn(LANGUAGES, one)) ?? 'en';
}

export function changeLanguage(to: string): void {
  try {
    localStorage.setItem(KEPT, to);
  } catch {
    // Storage is refused: the choice lasts until the page is closed, which is at once.
  }
  location.reload();
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
