import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Where filter lists come from: a package manager put them on the machine, pinned by the lockfile; they are never
 * fetched when the program runs and never part of this repository. The first place that has any is used:
 *
 * 1. files the configuration names (plain text, Adblock Plus syntax);
 * 2. npm `@adguard/dnr-rulesets` (GPL-3.0): its rule sets for browsers hold the text of the lists they were made
 *    from: AdGuard Base, which includes EasyList, and AdGuard's lists by language. Its 108 MB are needed only to
 *    build: the package ships these lists compiled (`shipped-lists.ts`);
 * 3. Debian's `webext-ublock-origin-*`: EasyList (GPL-3.0 or CC BY-SA 3.0) and uBlock's own filters.
 *
 * Only lists against advertisements: those against tracking or annoyances name things that readers do see.
 */
export interface FilterList {
  /** Title and date as given in the list, for reports. */
  readonly name: string;
  readonly text: string;
}

/** AdGuard's own rule sets, all under its GPL-3.0; other numbers have other, partly non-commercial, licences. */
const ADGUARD = {
  base: 2,
  russian: 1,
  german: 6,
  japanese: 7,
  dutch: 8,
  spanishAndPortuguese: 9,
  turkish: 13,
  french: 16,
  ukrainian: 23,
  chinese: 224,
} as const;

const DEBIAN_FOLDERS = [
  '/usr/share/webext/ublock-origin-chromium',
  '/usr/share/webext/ublock-origin-firefox',
];
const DEBIAN_LISTS = ['assets/thirdparties/easylist/easylist.txt', 'assets/ublock/filters.min.txt'];

/** Files that hold lists; `read` extracts the list from one. */
export interface ListPlace {
  readonly files: readonly string[];
  read(file: string): FilterList;
}

/** Undefined where there are no lists on this machine. */
export function findFilterLists(given: readonly string[] = []): ListPlace | undefined {
  if (given.length > 0) return { files: given, read: readPlain };
  const adguard = findAdguardLists();
  if (adguard) return adguard;
  for (const folder of DEBIAN_FOLDERS) {
    const files = DEBIAN_LISTS.map((file) => join(folder, file)).filter(existsSync);
    if (files.length > 0) return { files, read: readPlain };
  }
  return undefined;
}

/**
 * Searched for as Node does, but as a folder: the package's exports name neither its data nor anything `require`
 * may load.
 */
export function findAdguardLists(): (ListPlace & { readonly licence: string }) | undefined {
  const places = createRequire(import.meta.url).resolve.paths('@adguard/dnr-rulesets') ?? [];
  const home = places.map((place) => join(place, '@adguard', 'dnr-rulesets')).find(existsSync);
  if (home === undefined) return undefined;
  const files = Object.values(ADGUARD)
    .map((id) => join(home, 'dist/filters/declarative', `ruleset_${id}`, `ruleset_${id}.json`))
    .filter(existsSync);
  if (files.length === 0) return undefined;
  return { files, read: readRuleset, licence: join(home, 'LICENSE') };
}

function readPlain(file: string): FilterList {
  return named(readFileSync(file, 'utf8'), file);
}

/** The text is in the metadata of the first rule, a dummy made for that purpose. */
function readRuleset(file: string): FilterList {
  const [first] = JSON.parse(readFileSync(file, 'utf8')) as { metadata?: { rawFilterList?: unknown } }[];
  const text = first?.metadata?.rawFilterList;
  if (typeof text !== 'string') throw new TypeError(`${file} holds no filter list in its metadata`);
  return named(text, file);
}

function named(raw: string, file: string): FilterList {
  const text = raw.replaceAll('\r', '');
  const head = text.slice(0, 5000);
  const title = /^! Title: *(.+)$/m.exec(head)?.[1] ?? `${dirname(file)}: no title`;
  const date = /^! (?:TimeUpdated|Last modified|Updated): *(\S+)/m.exec(head)?.[1];
  return { name: date ? `${title} (${date})` : title, text };
}
