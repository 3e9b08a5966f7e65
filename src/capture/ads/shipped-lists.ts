import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type CompiledLists, compileLists, readCompiled, writeCompiled } from './compiled-lists.ts';
import { findAdguardLists } from './filter-lists.ts';

/**
 * The lists inside the package: compiled when it is built, so that nobody who installs it needs their 108 MB. The files
 * are in a folder beside the bundled code; when run from source there is none, and the lists themselves are used.
 */
const FOLDER = 'filter-lists';
const ENGINE = 'compiled.engine';

/** Undefined unless this code is the built one. */
export function readShippedLists(): CompiledLists | undefined {
  try {
    return readCompiled(readFileSync(new URL(`./${FOLDER}/${ENGINE}`, import.meta.url)));
  } catch {
    return undefined;
  }
}

/** The files a build puts there, by path. Includes the text as the source of what is compiled, as the GPL requires. */
export function shippedListFiles(): ReadonlyMap<string, Buffer> {
  const place = findAdguardLists();
  if (!place)
    throw new Error('no filter lists to compile: @adguard/dnr-rulesets is not installed; run `npm ci`');
  const lists = place.files.map((file) => place.read(file));
  return new Map([
    [`${FOLDER}/${ENGINE}`, writeCompiled(compileLists(lists))],
    [`${FOLDER}/lists.txt.gz`, gzipSync(lists.map((list) => list.text).join('\n'))],
    [`${FOLDER}/LICENSE`, readFileSync(place.licence)],
  ]);
}
