import { textOf } from '../model/body.ts';
import { layoutUri } from '../model/derived-uris.ts';
import type { Passage } from '../model/passage.ts';
import { looksOf } from '../model/shown-versions.ts';
import type { Millis } from '../model/time.ts';
import type {
  AnalysisCatalog,
  CaptureCatalog,
  PageVersions,
  PatternCatalog,
  SiteCatalog,
} from '../ports/catalog.ts';
import type { RecordReader } from '../ports/record-store.ts';
import type { IndexedState, SearchIndex } from '../ports/search-index.ts';
import { parseViXml } from '../science/layout/vi-xml.ts';
import { followPassages, type VersionPassages } from '../science/search/follow-passages.ts';
import { passagesOf } from '../science/search/passages.ts';
import { type Stem, tokensOf } from '../science/search/tokens.ts';

export interface PassagePorts {
  readonly catalog: AnalysisCatalog &
    Pick<CaptureCatalog, 'closest'> &
    Pick<PatternCatalog, 'captureMark'> &
    Pick<SiteCatalog, 'siteBounds'>;
  readonly reader: Pick<RecordReader, 'read'>;
  readonly index: SearchIndex;
  /** The stemmer for the language of a text. */
  readonly stemFor: (text: string) => Stem;
}

export interface IndexWork {
  readonly onPage?: (url: string, done: number) => void;
  readonly signal?: AbortSignal;
}

export interface IndexedPassages {
  /** Pages of which something was indexed. */
  readonly pages: number;
  readonly versions: number;
  /** Pages of the archive without any layout: nothing on them can be found. */
  readonly unseen: number;
}

/** A version, and the capture whose layout shows it. */
interface Shown {
  readonly at: Millis;
  readonly layoutAt: Millis;
}

/** Characters used to identify the language of a page. */
const TELLING = 4_000;

/**
 * Stage: stored layouts → the passages of the search index, with when each appeared and disappeared. Pages already indexed as
 * far as the archive goes cost a catalog lookup; for the others, the versions since are read, or all if one came in between.
 */
export async function indexPassages(
  ports: PassagePorts,
  { onPage = () => {}, signal }: IndexWork = {},
): Promise<IndexedPassages> {
  const { catalog, index } = ports;
  const mark = await catalog.captureMark();
  const known = new Map(await index.states());
  const { siteOf } = catalog.siteBounds();
  let [pages, versions, unseen] = [0, 0, 0];
  for await (const page of catalog.storedVersions({})) {
    if (signal?.aborted) return { pages, versions, unseen };
    const state = known.get(page.url);
    known.delete(page.url);
    const shown = shownVersions(page);
    if (shown.length === 0) unseen++;
    if (isIndexed(shown, state)) continue;
    versions += await indexPage(page.url, siteOf(page.url), shown, ports);
    onPage(page.url, ++pages);
  }
  await index.remove([...known.keys()]);
  await index.setMark(mark);
  return { pages, versions, unseen };
}

/** What a search cannot find, in pages. */
export interface UnsearchedPages {
  /** Without any layout. */
  readonly unseen: number;
  /** With private captures: what these said is left out. */
  readonly private: number;
}

/** Reads all versions of all pages, but no record. */
export async function unsearchedPages({ catalog }: Pick<PassagePorts, 'catalog'>): Promise<UnsearchedPages> {
  let unseen = 0;
  for await (const page of catalog.storedVersions({})) if (shownVersions(page).length === 0) unseen++;
  return { unseen, private: await catalog.privatePages() };
}

function shownVersions({ versions }: PageVersions): Shown[] {
  const looks = looksOf(versions);
  return versions.flatMap(({ at }, i) => {
    const layoutAt = looks[i]?.layoutAt;
    return layoutAt === undefined ? [] : [{ at, layoutAt }];
  });
}

const isIndexed = (shown: readonly Shown[], state: IndexedState | undefined): boolean =>
  shown.length === (state?.versions ?? 0) && (shown.at(-1)?.at ?? state?.until) === state?.until;

async function indexPage(
  url: string,
  site: string,
  shown: readonly Shown[],
  { catalog, reader, index, stemFor }: PassagePorts,
): Promise<number> {
  const last = shown.at(-1);
  if (!last) {
    await index.remove([url]);
    return 0;
  }
  const before = await index.page(url);
  const isAnew = !before || shown.filter(({ at }) => at <= before.until).length !== before.versions;
  const news = isAnew ? shown : shown.filter(({ at }) => at > before.until);
  const read = new Map<Millis, readonly Passage[]>();
  const versions: VersionPassages[] = [];
  for (const { at, layoutAt } of news) {
    let passages = read.get(layoutAt);
    if (!passages) {
      const fact = await catalog.closest(layoutUri(url), layoutAt);
      if (fact?.at !== layoutAt) continue;
      passages = passagesOf(parseViXml(await textOf((await reader.read(fact)).payload)));
      read.set(layoutAt, passages);
    }
    versions.push({ at, passages });
  }
  const { added, gone } = followPassages(
    isAnew ? [] : before.live,
    isAnew ? undefined : before.until,
    versions,
  );
  const stem = stemFor(
    added
      .map(({ text }) => text)
      .join('\n')
      .slice(0, TELLING),
  );
  await index.update({
    url,
    site,
    before,
    until: last.at,
    versions: shown.length,
    isAnew,
    gone,
    added: added.map((span) => ({ ...span, words: tokensOf(span.text, stem).map(({ word }) => word) })),
  });
  return news.length;
}
