import type { PageGroup } from '../../model/page-group.ts';
import type { PageWording } from '../../model/page-wording.ts';
import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { DamagedRecord, type RecordReader, storedResponse } from '../../ports/record-store.ts';
import { findGroups, type WordedPage } from '../../science/sharpness/find-groups.ts';

export interface PageGroupsPorts {
  readonly catalog: Pick<Catalog, 'keptVersions' | 'captureByRecordId' | 'originalOf'>;
  readonly reader: RecordReader;
  readonly pageReader: Pick<PageReader, 'readWording'>;
}

/**
 * Up to this many pages, all are read: for larger sites no groups are looked for, since a crawl would have to wait.
 */
export const GROUPS_UP_TO = 5_000;

/** Groups of pages that must agree, by the versions that these records show and those archived before. */
export async function groupsOf(
  pages: readonly { readonly url: string; readonly recordId: string }[],
  before: Millis,
  ports: PageGroupsPorts,
): Promise<PageGroup[]> {
  if (pages.length < 2 || pages.length > GROUPS_UP_TO) return [];
  const former = await ports.catalog.keptVersions(
    pages.map(({ url }) => url),
    before,
  );
  const worded: WordedPage[] = [];
  for (const { url, recordId } of pages) {
    const wording = await wordingOf(url, recordId, ports);
    if (!wording) continue;
    const earlier = former.get(url);
    const texts = earlier && (await wordingOf(url, earlier.recordId, ports))?.texts;
    worded.push({ url, ...wording, ...(texts && { former: new Set(texts) }) });
  }
  return findGroups(worded);
}

async function wordingOf(
  url: string,
  recordId: string,
  { catalog, reader, pageReader }: PageGroupsPorts,
): Promise<PageWording | undefined> {
  const fact = await catalog.captureByRecordId(recordId);
  const original = fact && (await catalog.originalOf(fact));
  if (!original) return undefined;
  try {
    const response = storedResponse(await reader.read(original));
    return response && (await pageReader.readWording({ url, response }));
  } catch (error) {
    // `verify` reports a damaged record; here the page belongs to no group.
    if (error instanceof DamagedRecord) return undefined;
    throw error;
  }
}
