import { createHash } from 'node:crypto';
import { batch, entry, pageOf, SPEC } from '../src/catalog/conformance/examples.conformance.ts';
import type { CaptureFact, PageInfo } from '../src/model/capture.ts';
import type { Change } from '../src/model/change.ts';
import type { Visit } from '../src/model/crawl.ts';
import type { Catalog } from '../src/ports/catalog.ts';

/** A large catalog for the API, without records: captures of pages on twenty sites, half of them with a change. */
export const SITES = Array.from({ length: 20 }, (_, number) => `site-${number}.example`);

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
/** Captures per transaction. */
const AT_ONCE = 2_000;
/** Number of crawls, each of one site. */
const CRAWLS = 40;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const uuid = (text: string): string => {
  const hex = hash(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export async function fillCatalog(catalog: Catalog, captures: number, pages: number): Promise<void> {
  const urls = Array.from(
    { length: pages },
    (_, page) => `https://${SITES[page % SITES.length]}/page/${page}`,
  );
  await crawls(catalog, urls);
  const deltas: Change[] = [];
  let [facts, infos]: [CaptureFact[], PageInfo[]] = [[], []];
  for (let number = 0; number < captures; number++) {
    const page = number % pages;
    const round = Math.floor(number / pages);
    const url = urls[page] as string;
    const at = START + round * 6 * HOUR + page * 1000;
    // Every second visit finds something new.
    const version = Math.floor(round / 2);
    facts.push(factOf(url, at, number, version));
    infos.push(pageInfo(url, at, { page, version, isNew: round % 2 === 0 }));
    if (round > 0 && round % 2 === 0) deltas.push(changeOf(url, at - 12 * HOUR, at, number));
    if (facts.length < AT_ONCE && number < captures - 1) continue;
    await catalog.index({
      captures: facts,
      pages: infos,
      changes: deltas.splice(0),
      fileLengths: new Map([['bench.warc.gz', (number + 1) * 1000]]),
    });
    [facts, infos] = [[], []];
  }
}

async function crawls(catalog: Catalog, urls: readonly string[]): Promise<void> {
  for (let number = 0; number < CRAWLS; number++) {
    const seed = `https://${SITES[number % SITES.length]}/`;
    const crawl = await catalog.createCrawl(
      `bench ${number}`,
      { ...SPEC, seeds: [seed] },
      START + number * HOUR,
    );
    const own = urls.filter((url) => url.startsWith(seed));
    const { enqueued } = await catalog.commit(batch(crawl.id, { discovered: own.map((url) => entry(url)) }));
    const visits = enqueued.map(({ id, url }, i) => ({
      visit: visitAt(url, START + number * HOUR + i),
      settlement: { entryId: id, state: 'failed' as const },
      ...{ captures: [], discovered: [], skips: [] },
    }));
    await catalog.commit(batch(crawl.id, { visits }));
    await catalog.setCrawlState(crawl.id, 'finished', START + number * HOUR + 1000);
  }
}

const visitAt = (url: string, at: number): Visit => ({
  ...{ url, at, duration: 5, reason: 'breadth-first: depth 1', outcome: 'failed' as const, bytes: 0 },
  fault: { kind: 'connection-refused', detail: 'nothing listens' },
});

function factOf(url: string, at: number, number: number, version: number): CaptureFact {
  const sha256 = hash(`${url} ${version}`);
  return {
    url,
    at,
    type: 'response',
    recordId: `<urn:uuid:${uuid(`${number}`)}>`,
    ...{ file: 'bench.warc.gz', offset: number * 1000, length: 900 },
    ...{ method: 'GET', status: 200, mime: 'text/html' },
    digest: { sha256, sha1: sha256.slice(0, 32).toUpperCase(), size: 5000 },
    eventId: uuid(`event ${number}`),
  };
}

interface Shown {
  readonly page: number;
  readonly version: number;
  readonly isNew: boolean;
}

function pageInfo(url: string, at: number, { page, version, isNew }: Shown): PageInfo {
  const layoutAt = isNew ? at : at - 6 * HOUR;
  return {
    ...pageOf(url, at, { title: `Story number ${page}`, layoutAt }),
    version: {
      ...{ sha256: hash(`${url} ${version}`), size: 5000, look: String(layoutAt), basis: 'layout' as const },
      ...{ importance: isNew ? 0.2 : 0, indexed: isNew, kept: true },
      ...{ reason: isNew ? ('no-pattern' as const) : ('unchanged' as const), threshold: 0, accumulated: 0 },
    },
  };
}

function changeOf(url: string, from: number, to: number, number: number): Change {
  const salience = (number % 997) / 997;
  return {
    ...{ url, from, to, importance: (number % 499) / 499, salience, why: 'the lead story is new' },
    operations: [0, 1, 2].map((place) => ({
      ...{ op: 'update' as const, element: 'text' as const, block: `B1.${place}`, weight: 0.1 },
      old: `The council met on day ${number - place} and spoke of the harbour at some length`,
      new: `The council met on day ${number + place} and spoke of the ${number % 50 === 0 ? 'budget' : 'ferry'}`,
    })),
    course: { changed: ['B1.1'], renamed: [], came: [], went: [] },
  };
}
