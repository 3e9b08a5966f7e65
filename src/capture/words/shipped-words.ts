import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hunspellForms } from './hunspell-forms.ts';
import { compileWords, readWords, writeWords } from './word-list.ts';

/**
 * Hunspell dictionaries from npm (`dictionary-fr` and its like), compiled when the package is built and kept beside the bundled
 * code with their licences. When run from source, the dictionaries themselves are used. See decisions/0029.
 */
export const SHIPPED_LANGUAGES = ['de', 'en', 'es', 'fr'] as const;

const FOLDER = 'words';

/** In German every noun is capitalised, so names cannot be told from words; elsewhere a capitalised word is a name. */
const CAPITAL_NOUNS: ReadonlySet<string> = new Set(['de']);

/** Undefined where neither the built list nor the npm package is present. */
export function shippedWords(language: string): Uint32Array | undefined {
  const shipped = new URL(`./${FOLDER}/${language}.words`, import.meta.url);
  if (existsSync(shipped)) return readWords(readFileSync(shipped));
  const home = packageFolder(language);
  return home === undefined ? undefined : compiled(language, home);
}

/** The files a build puts there, by path. */
export function shippedWordFiles(): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const language of SHIPPED_LANGUAGES) {
    const home = packageFolder(language);
    if (home === undefined)
      throw new Error(`no words to compile: dictionary-${language} is not installed; run \`npm ci\``);
    files.set(`${FOLDER}/${language}.words`, writeWords(compiled(language, home)));
    files.set(`${FOLDER}/LICENSE.${language}`, readFileSync(join(home, 'license')));
  }
  return files;
}

/** Searched for as Node does, but as a folder: its module would read the files at once. */
function packageFolder(language: string): string | undefined {
  const name = `dictionary-${language}`;
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name)).find(existsSync);
}

function compiled(language: string, home: string): Uint32Array {
  const read = (file: string): string => readFileSync(join(home, file), 'utf8');
  return compileWords(commonWords(language, hunspellForms(read('index.aff'), read('index.dic'))));
}

function* commonWords(language: string, forms: Iterable<string>): Iterable<string> {
  for (const form of forms) {
    const low = form.toLowerCase();
    if (low === form || CAPITAL_NOUNS.has(language)) yield low;
  }
}
