import type { LanguageIdentifier } from '../../ports/language-identifier.ts';

/**
 * Google's Compact Language Detector 3 (Apache-2.0) as WebAssembly (cld3-asm, MIT): 107 languages, 5 MB of memory. Chosen by
 * measurement: decisions/0026.
 */

/** Characters of a page that are examined: .994 right; with 1500, .996 in three times the time. */
const LOOKED_AT = 400;
/** Minimum number of letters for an answer: names and numbers look like any language. */
const FEWEST_LETTERS = 12;

/** Codes that are outdated, or one language here. Scripts (`ru-Latn`) are cut off. */
const CODES: Readonly<Record<string, string>> = { iw: 'he', nb: 'no', nn: 'no' };

export async function openLanguageIdentifier(): Promise<LanguageIdentifier> {
  // A megabyte of code, loaded only when somebody asks.
  const { loadModule } = await import('cld3-asm');
  const factory = await loadModule();
  // The limit is in bytes; no letter has more than four.
  const detector = factory.create(0, 4 * LOOKED_AT);
  return {
    identify(text) {
      const looked = text
        .slice(0, 4 * LOOKED_AT)
        .replace(/\s+/g, ' ')
        .slice(0, LOOKED_AT);
      if ((looked.match(/\p{L}/gu)?.length ?? 0) < FEWEST_LETTERS) return undefined;
      const { language, probability } = detector.findLanguage(looked);
      const [base = 'und'] = language.split('-');
      return base === 'und' ? undefined : { code: CODES[base] ?? base, chance: probability };
    },
  };
}
