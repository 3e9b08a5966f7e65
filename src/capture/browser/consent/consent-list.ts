import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * DuckDuckGo's list of consent banners (autoconsent, MPL-2.0): which there are, and what to click for yes and for no. Read
 * from a folder beside the bundled code; when run from source, from the package itself.
 */
const FOLDER = 'consent-list';
const FILES = { script: 'autoconsent.js.gz', rules: 'rules.json.gz', version: 'version.txt' } as const;

export interface ConsentRule {
  readonly name: string;
  /** Addresses it applies to; everywhere if absent. */
  readonly runContext?: { readonly urlPattern?: string };
}

export interface ConsentList {
  /** Version of autoconsent. */
  readonly version: string;
  /** Finds banners in a frame and answers them; requests its rules by message. */
  readonly script: string;
  readonly rules: readonly ConsentRule[];
}

let list: ConsentList | undefined;

/** Loaded when first needed. */
export function consentList(): ConsentList {
  list ??= shipped() ?? packaged();
  return list;
}

/** Rules that may apply at this address: three in four are for a single site. */
export function rulesFor(url: string, { rules }: ConsentList): readonly ConsentRule[] {
  return rules.filter(({ runContext }) => {
    const pattern = runContext?.urlPattern;
    return pattern === undefined || pattern === '' || new RegExp(pattern).test(url);
  });
}

function shipped(): ConsentList | undefined {
  const read = (name: string): Buffer => readFileSync(new URL(`./${FOLDER}/${name}`, import.meta.url));
  try {
    return {
      version: read(FILES.version).toString('utf8').trim(),
      script: gunzipSync(read(FILES.script)).toString('utf8'),
      rules: JSON.parse(gunzipSync(read(FILES.rules)).toString('utf8')) as readonly ConsentRule[],
    };
  } catch {
    return undefined;
  }
}

function packaged(): ConsentList {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@duckduckgo/autoconsent')), '..');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    version: (JSON.parse(read('package.json')) as { readonly version: string }).version,
    script: read('dist/autoconsent.playwright.js'),
    rules: (JSON.parse(read('rules/rules.json')) as { readonly autoconsent: readonly ConsentRule[] })
      .autoconsent,
  };
}

/** The files a build puts there, by path. */
export function shippedConsentFiles(): ReadonlyMap<string, Buffer> {
  const { version, script, rules } = packaged();
  const folder = join(dirname(createRequire(import.meta.url).resolve('@duckduckgo/autoconsent')), '..');
  return new Map([
    [`${FOLDER}/${FILES.version}`, Buffer.from(`${version}\n`)],
    [`${FOLDER}/${FILES.script}`, gzipSync(script)],
    [`${FOLDER}/${FILES.rules}`, gzipSync(JSON.stringify(rules))],
    [`${FOLDER}/LICENSE`, readFileSync(join(folder, 'LICENSE'))],
  ]);
}
