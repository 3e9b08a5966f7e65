import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drawn, element, page } from '../../test/drawn-page.ts';
import { packSnapshot } from '../../test/pack-snapshot.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import { memoryBody } from '../model/body.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Block, Layout } from '../model/layout.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { PageAnalyser } from '../ports/page-analyser.ts';
import type { RecordReader, RecordStore } from '../ports/record-store.ts';
import { applyDelta } from '../science/delta/apply-delta.ts';
import { changeOf } from '../science/delta/change-of.ts';
import { parseViDelta } from '../science/delta/read-vi-delta.ts';
import { parseViXml, writeViXml } from '../science/layout/vi-xml.ts';
import { openRecordReader } from '../warc/record-reader.ts';
import { openWarcStore } from '../warc/warc-store.ts';
import { type AnalysedPage, analysePage } from './analyse-page.ts';
import { inProcessAnalyser } from './analyse-snapshot.ts';

const URL_ = 'https://news.test/';
const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 2, 1);

let folder: string;
let catalog: Catalog;
let store: RecordStore;
let reader: RecordReader;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
  const clock = { now: () => FIRST, sleep: async () => {} };
  store = await openWarcStore({
    archive: folder,
    collection: 'test',
    crawlId: 1,
    clock,
    software: 'Daguerre/test',
    userAgent: 'test',
    robots: 'obey',
  });
  reader = openRecordReader(join(folder, 'warc'));
});
afterEach(async () => {
  await reader.close();
  await store.close();
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

interface Words {
  readonly head?: string;
  readonly text?: string;
  readonly links?: readonly string[];
  readonly counter?: string;
  /** Pixels by which everything is further down. */
  readonly down?: number;
  /** The snapshot ends before the page does. */
  readonly cut?: string;
}

const part = (id: string, y: number, height: number, ...children: Drawn[]): Drawn =>
  element('div', { id, box: [0, y, 1000, height] }, ...children);

function newsPage({ head = 'Rain', text = STORY, links = ['First'], counter = '1', down = 0 }: Words = {}) {
  const line = (tag: string, y: number, words: string) => element(tag, { box: [0, y, 1000, 40] }, words);
  return page(
    element(
      'body',
      { box: [0, 0, 1000, 900] },
      part(
        'top',
        down,
        100,
        line('h1', down, 'The Daily'),
        line('p', down + 50, `Visitor number ${counter}`),
      ),
      part(
        'main',
        down + 150,
        400,
        line('h2', down + 150, head),
        line('p', down + 200, text),
        element('img', { src: `${URL_}bay.png`, alt: 'The bay', box: [0, down + 300, 300, 200] }),
      ),
      part(
        'more',
        down + 600,
        200,
        ...links.map((name, i) =>
          element(
            'a',
            { href: `${URL_}${name}`, box: [0, down + 600 + 40 * i, 300, 30], display: 'block' },
            name,
          ),
        ),
      ),
    ),
    URL_,
  );
}

const STORY = 'It rained all day and nobody went out to the harbour, said the mayor of the town on Monday.';

const picture = (bytes: string): Exchange =>
  ({
    url: `${URL_}bay.png`,
    response: {
      status: 200,
      headers: [['Content-Type', 'image/png']],
      body: memoryBody(new TextEncoder().encode(bytes)),
    },
  }) as unknown as Exchange;

/** Analyses, and archives the result, as a visit does. */
async function seen(
  at: number,
  words: Words = {},
  {
    exchanges = [],
    analyser = inProcessAnalyser(),
  }: { exchanges?: Exchange[]; analyser?: PageAnalyser } = {},
): Promise<AnalysedPage> {
  const { cut } = words;
  const shown = { ...newsPage(words), ...(cut !== undefined && { cut }) };
  const snapshot = { kind: 'taken', packed: packSnapshot(shown) } as const;
  const analysed = await analysePage({ url: URL_, at, snapshot, exchanges }, { analyser, catalog, reader });
  await archived(at, analysed.records, analysed);
  return analysed;
}

async function archived(
  at: number,
  records: AnalysedPage['records'],
  { change }: Pick<AnalysedPage, 'change'> = {},
) {
  const info = {
    uri: `urn:pageinfo:${URL_}`,
    contentType: 'application/json',
    body: memoryBody(new Uint8Array(2)),
  };
  const captures = await store.append({
    id: `event-${at}`,
    url: URL_,
    at,
    exchanges: [],
    derived: [...records, info],
  });
  await catalog.index({ captures, pages: [], changes: change ? [change] : [], fileLengths: new Map() });
}

const kinds = ({ records }: AnalysedPage): string[] =>
  records.map(({ uri }) => uri.slice(4, uri.indexOf(':', 4)));

function textOf({ records }: AnalysedPage, kind: string): string {
  const bytes = records.find(({ uri }) => uri === `urn:${kind}:${URL_}`)?.body.bytes;
  return new TextDecoder().decode(bytes);
}

const layoutOf = (analysed: AnalysedPage): Layout => parseViXml(textOf(analysed, 'layout'));

describe('the analysis of a page', () => {
  it('the first version => snapshot and layout, no delta', async () => {
    const first = await seen(FIRST);
    expect(kinds(first)).toEqual(['snapshot', 'layout']);
    expect(first).toMatchObject({ layoutAt: FIRST, facts: [] });
    expect(first.change).toBeUndefined();
    expect(layoutOf(first)).toMatchObject({ url: URL_, version: new Date(FIRST).toISOString() });
  });

  it('the same snapshot again => nothing is written, and the page says which layout it has', async () => {
    await seen(FIRST, {}, { exchanges: [picture('blue')] });
    const analyser: PageAnalyser = {
      analyse: () => Promise.reject(new Error('asked')),
      close: async () => {},
    };
    const second = await seen(FIRST + DAY, {}, { exchanges: [picture('blue')], analyser });
    expect(second).toEqual({ records: [], layoutAt: FIRST, facts: [] });
    const third = await seen(FIRST + 2 * DAY, {}, { exchanges: [picture('blue')], analyser });
    expect(third).toMatchObject({ records: [], layoutAt: FIRST });
  });

  it('everything a little further down => nothing a reader would call a change', async () => {
    await seen(FIRST);
    expect(await seen(FIRST + DAY, { down: 30 })).toEqual({ records: [], layoutAt: FIRST, facts: [] });
  });

  it('other words and a new link => a delta that leads from the old layout to the new, and the change it tells', async () => {
    const first = await seen(FIRST);
    const second = await seen(FIRST + DAY, { head: 'Sun', links: ['First', 'Vote'] });
    expect(kinds(second)).toEqual(['snapshot', 'layout', 'delta']);
    const delta = parseViDelta(textOf(second, 'delta'));
    expect(applyDelta(delta, layoutOf(first))).toEqual(layoutOf(second));
    expect(second.change).toEqual(changeOf(delta));
    expect(second.change).toMatchObject({ url: URL_, from: FIRST, to: FIRST + DAY });
    expect(second.change?.importance).toBeGreaterThan(0);
    expect(second.change?.operations).toContainEqual(
      expect.objectContaining({ op: 'insert', element: 'link', new: 'Vote', newAddress: `${URL_}Vote` }),
    );
    const third = await seen(FIRST + 2 * DAY, { head: 'Snow', links: ['First', 'Vote'] });
    expect(third.change).toMatchObject({ from: FIRST + DAY, to: FIRST + 2 * DAY });
  });

  it('a version in between, nearer to a later one => compared with the one before it', async () => {
    await seen(FIRST);
    await seen(FIRST + 10 * DAY, { head: 'Snow' });
    const between = await seen(FIRST + 9 * DAY, { head: 'Sun' });
    expect(between.change).toMatchObject({ from: FIRST, to: FIRST + 9 * DAY });
  });

  it('a cut snapshot equal to the last => no "same": a partial delta of nothing, said in all that is stored', async () => {
    const cut = 'nodes past the limit of 3 are left out';
    const first = await seen(FIRST, { cut });
    expect(layoutOf(first)).toMatchObject({ partial: cut });
    const again = await seen(FIRST + DAY, { cut });
    expect(again).toMatchObject({
      layoutAt: FIRST + DAY,
      change: { importance: 0, partial: true, operations: [] },
    });
    const delta = parseViDelta(textOf(again, 'delta'));
    expect([delta.from.partial, delta.to.partial]).toEqual([cut, cut]);
    expect(changeOf(delta)).toEqual(again.change);
    expect(await catalog.changes({ url: URL_ })).toMatchObject([{ importance: 0, partial: true, count: 0 }]);
    // Seen whole again: still compared with a part.
    expect((await seen(FIRST + 2 * DAY)).change).toMatchObject({ partial: true });
    expect(await seen(FIRST + 3 * DAY)).toMatchObject({ records: [], layoutAt: FIRST + 2 * DAY });
  });

  it('another picture under the same address => an update of the picture', async () => {
    await seen(FIRST, {}, { exchanges: [picture('blue')] });
    const second = await seen(FIRST + DAY, {}, { exchanges: [picture('green')] });
    expect(second.change?.operations).toMatchObject([{ op: 'update', element: 'image', old: 'The bay' }]);
  });

  it('a layout of another segmenter => its version is segmented again, from its snapshot', async () => {
    const first = await analysed(FIRST);
    const old = writeViXml({ ...layoutOf(first), segmenter: 'other/1' });
    await archived(FIRST, replaced(first, 'layout', old));
    const second = await seen(FIRST + DAY, { head: 'Sun' });
    expect(kinds(second)).toEqual(['snapshot', 'layout', 'delta']);
    expect(second.change).toMatchObject({ from: FIRST, to: FIRST + DAY });
    const said = second.change?.operations.flatMap(({ old, new: now }) => [old, now]);
    expect(said?.filter((text) => text !== undefined).sort()).toEqual(['Rain', 'Sun']);
  });

  it('a layout of another segmenter, and no snapshot => a layout, and why there is no delta', async () => {
    const first = await analysed(FIRST);
    const old = writeViXml({ ...layoutOf(first), segmenter: 'other/1' });
    await archived(FIRST, replaced(first, 'layout', old).slice(1));
    const second = await seen(FIRST + DAY, { head: 'Sun' });
    expect(kinds(second)).toEqual(['snapshot', 'layout']);
    expect(second.facts.join()).toMatch(/^no delta: .*other\/1/);
  });

  it('the last layout is damaged => a layout, and why there is no delta; the next visit compares again', async () => {
    await archived(FIRST, replaced(await analysed(FIRST), 'layout', '<Document'));
    const second = await seen(FIRST + DAY, { head: 'Sun' });
    expect(kinds(second)).toEqual(['snapshot', 'layout']);
    expect(second.facts.join()).toContain('no delta: ');
    expect(kinds(await seen(FIRST + 2 * DAY, { head: 'Snow' }))).toEqual(['snapshot', 'layout', 'delta']);
  });

  it('an analysis that fails => the snapshot is kept, the reason is a fact', async () => {
    const analyser: PageAnalyser = {
      analyse: () => Promise.reject(new Error('too much')),
      close: async () => {},
    };
    const first = await seen(FIRST, {}, { analyser });
    expect(kinds(first)).toEqual(['snapshot']);
    expect(first.facts).toEqual(['no layout: the analysis failed: too much']);
    expect(first.layoutAt).toBeUndefined();
  });

  it.each([
    [
      { kind: 'none', reason: 'not-html', contentType: 'application/pdf' },
      'no layout: application/pdf is no HTML',
    ],
    [{ kind: 'none', reason: 'nothing-shown' }, 'no layout: the browser showed no document'],
    [{ kind: 'none', reason: 'no-time' }, 'no layout: the page could not be looked at in time'],
  ] as const)('%j => %s', async (snapshot, fact) => {
    const ports = { analyser: inProcessAnalyser(), catalog, reader };
    const result = await analysePage({ url: URL_, at: FIRST, snapshot, exchanges: [] }, ports);
    expect(result).toEqual({ records: [], facts: [fact] });
  });

  it('a counter that changes at every visit => its change counts less and less, that of the story does not', async () => {
    const counted: number[] = [];
    for (let day = 0; day < 8; day++) {
      const { change } = await seen(FIRST + day * DAY, { counter: String(1000 + 37 * day) });
      if (change) counted.push(change.importance);
    }
    expect(counted).toHaveLength(7);
    expect(counted.at(-1)).toBeLessThan((counted[0] as number) / 2);
    const { change, ...last } = await seen(FIRST + 9 * DAY, {
      counter: '1',
      text: 'Nothing as it was before.',
    });
    const leaves = (block: Block): Block[] =>
      block.blocks.length === 0 ? [block] : block.blocks.flatMap(leaves);
    const sum = leaves(layoutOf(last).root).reduce((total, { importance }) => total + importance, 0);
    expect(sum).toBeCloseTo(1, 9);
    const weightOf = (words: string): number =>
      Math.max(
        ...(change?.operations ?? []).flatMap(({ new: now, weight }) =>
          now?.includes(words) ? [weight] : [],
        ),
      );
    expect(weightOf('Nothing as it was')).toBeGreaterThan(weightOf('Visitor number'));
  });
});

/** Analyses without archiving. */
function analysed(at: number): Promise<AnalysedPage> {
  const snapshot = { kind: 'taken', packed: packSnapshot(newsPage()) } as const;
  return analysePage(
    { url: URL_, at, snapshot, exchanges: [] },
    { analyser: inProcessAnalyser(), catalog, reader },
  );
}

function replaced({ records }: AnalysedPage, kind: string, text: string): AnalysedPage['records'] {
  const body = memoryBody(new TextEncoder().encode(text));
  return records.map((record) => (record.uri.startsWith(`urn:${kind}:`) ? { ...record, body } : record));
}
