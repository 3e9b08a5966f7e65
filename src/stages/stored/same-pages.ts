import type { Catalog } from '../../ports/catalog.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { type RecordReader, storedResponse } from '../../ports/record-store.ts';
import type { PathDigest, SitePages } from './site-pages.ts';

export interface ComparePorts {
  readonly catalog: Pick<Catalog, 'keptVersions' | 'captureByRecordId' | 'originalOf'>;
  readonly reader: RecordReader;
  readonly pageReader: Pick<PageReader, 'readSource'>;
}

/** Pages that are read before all are: two sites of one product have all their paths in common, but no text. */
const SAMPLE = 16;
/** Pages whose text is read for one pair of sites; those beyond count as differing. */
const MOST_READ = 2_000;

/**
 * Paths that both sites have, and whether they agree there: by their bytes, or by their HTML once each site's own host name is replaced
 * by one word. Dates, counters and the like are left to the caller's tolerance.
 */
export async function samePages(
  a: SitePages,
  b: SitePages,
  ports: ComparePorts,
): Promise<ReadonlyMap<string, boolean>> {
  const agreements = new Map<string, boolean>();
  const unlike: string[] = [];
  for (const [path, page] of a.pages) {
    const other = b.pages.get(path);
    if (!other) continue;
    agreements.set(path, page.sha256 === other.sha256);
    if (page.sha256 !== other.sha256) unlike.push(path);
  }
  const same = agreements.size - unlike.length;
  const compare = async (paths: readonly string[]): Promise<number> => {
    let agreeing = 0;
    for (const path of paths) {
      const isSame = await isSameText(a.pages.get(path), b.pages.get(path), ports);
      agreements.set(path, isSame);
      if (isSame) agreeing++;
    }
    return agreeing;
  };
  const step = Math.max(1, Math.floor(unlike.length / SAMPLE));
  const sample = unlike.filter((_, i) => i % step === 0).slice(0, SAMPLE);
  const found = await compare(sample);
  if (found > 0 || same > unlike.length) {
    const read = new Set(sample);
    await compare(unlike.filter((path) => !read.has(path)).slice(0, MOST_READ));
  }
  return agreements;
}

/** Only HTML is read: for anything else the bytes decide. */
export async function isSameText(
  a: PathDigest | undefined,
  b: PathDigest | undefined,
  ports: ComparePorts,
): Promise<boolean> {
  if (!a || !b) return false;
  if (a.sha256 === b.sha256) return true;
  const [one, two] = [await textWithoutHost(a, ports), await textWithoutHost(b, ports)];
  return one !== undefined && one === two;
}

async function textWithoutHost({ url }: PathDigest, ports: ComparePorts): Promise<string | undefined> {
  const { catalog, reader, pageReader } = ports;
  const kept = (await catalog.keptVersions([url], Number.MAX_SAFE_INTEGER)).get(url);
  const fact = kept && (await catalog.captureByRecordId(kept.recordId));
  const original = fact && (await catalog.originalOf(fact));
  if (!original || original.truncated) return undefined;
  const response = storedResponse(await reader.read(original));
  const text = response && (await pageReader.readSource({ url, response }));
  return text === undefined ? undefined : withoutHost(text, new URL(url));
}

/** `https://www.example.org:8080/x` in `http://www.example.org:8080/`: the same word for both names, with and without port and `www.`. */
export function withoutHost(text: string, { host, hostname }: URL): string {
  const bare = hostname.replace(/^www\./, '');
  return [host, hostname, bare]
    .reduce((rest, name) => rest.replaceAll(name, '{host}'), text)
    .replaceAll('www.{host}', '{host}');
}
