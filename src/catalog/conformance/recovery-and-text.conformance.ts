import { expect, it } from 'vitest';
import type { Catalog } from '../../ports/catalog.ts';
import {
  all,
  batch,
  capture,
  crawlWith,
  entry,
  pageOf,
  skipOf,
  visited,
  visitOf,
} from './examples.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://example.org/b';

export function recovery(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  it('warcFiles => lengths only grow; a file known by its captures alone reaches to their end', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    const captures = [capture(A, 1, { file: 'b.warc.gz', offset: 5, length: 7 })];
    await catalog().commit(batch(crawlId, { fileLengths: new Map([['a.warc.gz', 500]]), captures }));
    await catalog().index({
      captures: [],
      pages: [],
      fileLengths: new Map([
        ['a.warc.gz', 400],
        ['c.warc.gz', 3e12],
      ]),
    });
    expect(await (await reopen()).warcFiles()).toEqual([
      { file: 'a.warc.gz', length: 500, crawlId },
      { file: 'b.warc.gz', length: 12, crawlId },
      { file: 'c.warc.gz', length: 3e12 },
    ]);
  });

  it('forgetTail => captures past the cut go, their visits are queued again, the others stay', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A), entry(B)]);
    const kept = capture(A, 1, { offset: 0, eventId: 'a', file: 'tail.warc.gz' });
    const half = capture(B, 1, { offset: 100, eventId: 'b', file: 'tail.warc.gz' });
    const lost = capture('https://cdn.org/i.png', 1, { offset: 200, eventId: 'b', file: 'tail.warc.gz' });
    const elsewhere = capture(B, 9, { offset: 900 });
    const visits = [
      visited(ids.get(A) ?? 0, visitOf(A, { eventId: 'a' }), { captures: [kept], page: pageOf(A, 1) }),
      visited(ids.get(B) ?? 0, visitOf(B, { eventId: 'b' }), {
        captures: [half, lost],
        page: pageOf(B, 1, { links: [A] }),
      }),
    ];
    await catalog().commit(batch(crawlId, { visits, captures: [elsewhere] }));
    await catalog().setCrawlState(crawlId, 'finished', 2);
    expect(await catalog().forgetTail('tail.warc.gz', 150)).toBe(1);
    expect(await catalog().forgetTail('tail.warc.gz', 150)).toBe(0);
    expect(await catalog().forgetTail('none.warc.gz', 0)).toBe(0);
    const after = await reopen();
    expect((await all(after.captures({}))).map(({ recordId }) => recordId).toSorted()).toEqual(
      [kept, half, elsewhere].map(({ recordId }) => recordId).toSorted(),
    );
    expect((await after.pending(crawlId, 'example.org', 9)).map(({ url }) => url)).toEqual([B]);
    expect(await after.unfinishedCrawl('key')).toMatchObject({ id: crawlId, state: 'stopped' });
    expect(await after.visits({ url: B })).toMatchObject([
      { outcome: 'deferred', reason: 'test; its record was lost with the end of tail.warc.gz' },
    ]);
    expect((await after.warcFiles()).find(({ file }) => file === 'tail.warc.gz')?.length).toBe(150);
    expect(await after.tally(crawlId)).toMatchObject({ captured: 1, pending: 1, bytes: 200 });
    expect((await after.pages({})).map(({ url }) => url)).toEqual([A, B]);
    expect(await after.forgetTail('tail.warc.gz', 0)).toBe(2);
    expect((await after.pages({})).map(({ url }) => url)).toEqual([B]);
    expect((await after.warcFiles()).map(({ file }) => file)).toEqual(['a.warc.gz']);
  });

  it('giveUpTail => captures go, a finished crawl stays finished, and the file is known as lost until it is back', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A)]);
    const fact = capture(A, 1, { offset: 0, eventId: 'a', file: 'lost.warc.gz' });
    const visits = [visited(ids.get(A) ?? 0, visitOf(A, { eventId: 'a' }), { captures: [fact] })];
    await catalog().commit(batch(crawlId, { visits }));
    await catalog().setCrawlState(crawlId, 'finished', 2);
    expect(await catalog().giveUpTail('lost.warc.gz', 0)).toBe(1);
    const after = await reopen();
    expect(await after.unfinishedCrawl('key')).toBeUndefined();
    expect(await after.visits({ url: A })).toMatchObject([{ outcome: 'captured' }]);
    expect([await after.warcFiles(), await after.lostFiles()]).toEqual([[], ['lost.warc.gz']]);
    await after.clearDerived();
    expect([await after.filesToIndex(), await after.lostFiles()]).toEqual([[], ['lost.warc.gz']]);
    await after.index({ captures: [fact], pages: [], fileLengths: new Map([['lost.warc.gz', 700]]) });
    expect(await after.warcFiles()).toMatchObject([{ file: 'lost.warc.gz', length: 700 }]);
    expect(await after.lostFiles()).toEqual([]);
  });

  it('clearDerived, or a rebuild that begins => marked until it ends, however often each is said', async () => {
    expect(await catalog().isRebuilding()).toBe(false);
    await catalog().clearDerived();
    await catalog().beginRebuild();
    expect(await catalog().isRebuilding()).toBe(true);
    await catalog().endRebuild();
    await catalog().endRebuild();
    expect(await catalog().isRebuilding()).toBe(false);
  });

  it('clearDerived => records forgotten, crawls, frontier and visits kept; index brings all back', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A), entry(B)]);
    const [fact, page] = [capture(A, 1), pageOf(A, 1, { links: [B] })];
    const visits = [visited(ids.get(A) ?? 0, visitOf(A), { captures: [fact], page })];
    const imported = capture(B, 1, { file: 'imported.warc.gz' });
    await catalog().commit(batch(crawlId, { visits, fileLengths: new Map([['gone.warc.gz', 9]]) }));
    await catalog().index({ captures: [imported], pages: [], fileLengths: new Map() });
    const files = await catalog().warcFiles();
    expect(files.map(({ file, crawlId }) => [file, crawlId])).toEqual([
      [fact.file, crawlId],
      ['gone.warc.gz', crawlId],
      ['imported.warc.gz', undefined],
    ]);
    const before = [await catalog().pages({}), await catalog().sites(), await catalog().links({})];
    await catalog().clearDerived();
    expect(await all(catalog().captures({}))).toEqual([]);
    expect(await catalog().pages({})).toEqual([]);
    expect(await catalog().warcFiles()).toEqual([]);
    expect(await catalog().filesToIndex()).toEqual([fact.file, 'gone.warc.gz'].sort());
    expect(await catalog().tally(crawlId)).toMatchObject({ captured: 1, pending: 1, bytes: 100 });
    await (await reopen()).index({ captures: [fact, imported], pages: [page], fileLengths: new Map() });
    expect(await catalog().warcFiles()).toEqual(files.filter(({ file }) => file !== 'gone.warc.gz'));
    expect([await catalog().pages({}), await catalog().sites(), await catalog().links({})]).toEqual(before);
    expect(await all(catalog().captures({}))).toEqual([fact, imported]);
  });

  it('a file of which more is to come => to be indexed, until its last batch says how long it is', async () => {
    const [first, last] = [capture(A, 1, { file: 'half.warc.gz' }), capture(B, 2, { file: 'half.warc.gz' })];
    const nothing = { pages: [], fileLengths: new Map() };
    await catalog().index({ captures: [first], ...nothing, unfinishedFile: 'half.warc.gz' });
    expect(await (await reopen()).warcFiles()).toEqual([]);
    expect(await catalog().filesToIndex()).toEqual(['half.warc.gz']);
    const length = 1e9;
    const fileLengths = new Map([['half.warc.gz', length]]);
    await catalog().index({ captures: [first, last], pages: [], fileLengths });
    expect(await catalog().warcFiles()).toEqual([{ file: 'half.warc.gz', length }]);
    expect(await catalog().filesToIndex()).toEqual([]);
    expect(await all(catalog().captures({}))).toHaveLength(2);
  });

  it('a commit that fails half way => leaves nothing, and the next one works', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    const broken = { ...capture(A, 1), status: 'x' as unknown as number };
    const discovered = [entry('https://example.org/new')];
    await expect(catalog().commit(batch(crawlId, { discovered, captures: [broken] }))).rejects.toThrow();
    expect(await catalog().tally(crawlId)).toMatchObject({ pending: 0 });
    const { enqueued } = await catalog().commit(batch(crawlId, { discovered }));
    expect(enqueued).toHaveLength(1);
    expect(await (await reopen()).tally(crawlId)).toMatchObject({ pending: 1 });
  });

  it('commits and reads at the same time => each sees a whole state', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    const pairs = Array.from({ length: 20 }, (_, i) => [entry(`${A}/${i}`), entry(`${B}/${i}`)]);
    const reads: Promise<number>[] = [];
    await Promise.all(
      pairs.map((discovered) => {
        reads.push(
          catalog()
            .tally(crawlId)
            .then(({ pending }) => pending),
        );
        return catalog().commit(batch(crawlId, { discovered }));
      }),
    );
    for (const pending of await Promise.all(reads)) expect(pending % 2).toBe(0);
    expect(await catalog().tally(crawlId)).toMatchObject({ pending: 40 });
  });
}

export function texts(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const LONG = Array.from({ length: 10_000 }, (_, i) => String.fromCharCode(97 + ((i * 7919) % 26))).join('');
  const URLS: readonly (readonly [name: string, url: string])[] = [
    ['unicode', 'https://example.org/ünïcode/📷?q=日本'],
    ['10,000 characters', `https://example.org/${LONG}`],
    ['500 characters outside the BMP', `https://example.org/${'📷'.repeat(500)}`],
    ['quotes', "https://example.org/'; drop table urls; --"],
    ['escapes', 'https://example.org/%00%ff'],
    ['a host of 5,000 characters', `https://${'a'.repeat(5_000)}.org/`],
    ['no URL at all', 'not a url'],
  ];

  it.each(URLS)('%s => stored, found and listed as it is', async (_, url) => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(url, { via: url })]);
    const fact = capture(url, 1, { etag: '"ü"' });
    const visits = [
      visited(ids.get(url) ?? 0, visitOf(url), { captures: [fact], page: pageOf(url, 1, { links: [url] }) }),
    ];
    await catalog().commit(batch(crawlId, { visits }));
    const after = await reopen();
    expect(await after.closest(url, 5)).toEqual(fact);
    expect(await all(after.captures({ url }))).toEqual([fact]);
    expect(await all(after.captures({ urlPrefix: url }))).toEqual([fact]);
    expect(await after.links({ from: url })).toEqual([{ from: url, to: url }]);
    expect((await after.validators(url))?.etag).toBe('"ü"');
    expect(await after.pages({ text: url.slice(-20) })).toHaveLength(1);
    expect((await after.commit(batch(crawlId, { discovered: [entry(url)] }))).enqueued).toEqual([]);
  });

  it('long URLs that differ at the end only => two, in order, across a page of the listing', async () => {
    const urls = Array.from(
      { length: 1_100 },
      (_, i) => `https://a.org/${LONG}${String(i).padStart(4, '0')}`,
    );
    const captures = urls.map((url) => capture(url, 1));
    await catalog().index({ captures: captures.toReversed(), pages: [], fileLengths: new Map() });
    expect((await all(catalog().captures({}))).map(({ url }) => url)).toEqual(urls);
  });

  it('NUL and half surrogates in any text => U+FFFD, and the commit goes through', async () => {
    const bad = 'x\0y\ud800';
    const good = 'x\ufffdy\ufffd';
    const { id: crawlId } = await catalog().createCrawl(
      bad,
      { ...(await specOf(catalog())), collection: bad },
      1,
    );
    const url = `https://example.org/${bad}`;
    const { enqueued } = await catalog().commit(
      batch(crawlId, {
        discovered: [entry(url, { reason: bad, host: bad })],
        skips: [skipOf(B, { detail: bad })],
      }),
    );
    expect(enqueued).toMatchObject([{ url: `https://example.org/${good}` }]);
    const fact = capture(url, 1, { mime: bad, etag: bad, eventId: bad, recordId: bad, file: bad });
    const fault = { kind: 'internal', detail: bad } as const;
    const visits = [
      visited(enqueued[0]?.id ?? 0, visitOf(url, { reason: bad, eventId: bad, fault }), {
        captures: [fact],
        page: pageOf(url, 1, { title: bad, links: [url] }),
      }),
    ];
    await catalog().commit(batch(crawlId, { visits }));
    const after = await reopen();
    expect(await after.unfinishedCrawl(bad)).toMatchObject({ key: good, spec: { collection: good } });
    expect(await after.closest(url, 1)).toMatchObject({ url: `https://example.org/${good}`, etag: good });
    expect(await after.captureByRecordId(bad)).toMatchObject({ recordId: good });
    expect(await after.pages({ text: bad })).toMatchObject([{ title: good }]);
    expect(await after.visits({ url })).toMatchObject([{ reason: good, fault: { detail: good } }]);
    expect(await after.skips({ crawlId })).toMatchObject([{ detail: good }]);
    expect((await after.commit(batch(crawlId, { discovered: [entry(url)] }))).enqueued).toEqual([]);
    expect(await after.forgetTail(bad, 0)).toBe(1);
  });

  it('large and odd numbers => kept, rounded or held within bounds', async () => {
    const big = Number.MAX_SAFE_INTEGER;
    const { crawlId, ids } = await crawlWith(catalog(), [
      entry(A, { rank: Number.POSITIVE_INFINITY }),
      entry(B, { rank: -1e300 }),
    ]);
    expect((await catalog().pending(crawlId, 'example.org', 9)).map(({ rank }) => rank)).toEqual([
      -1e300,
      Number.MAX_VALUE,
    ]);
    const visit = visitOf(A, {
      at: 1_700_000_000_000.6,
      duration: 1.4,
      bytes: big - 10,
      outcome: 'deferred',
    });
    const item = visited(ids.get(A) ?? 0, visit);
    const settlement = {
      entryId: ids.get(A) ?? 0,
      state: 'deferred',
      notBefore: Number.POSITIVE_INFINITY,
    } as const;
    await catalog().commit(batch(crawlId, { visits: [{ ...item, settlement }] }));
    expect(await catalog().visits({})).toMatchObject([
      { at: 1_700_000_000_001, duration: 1, bytes: big - 10 },
    ]);
    expect((await (await reopen()).tally(crawlId)).bytes).toBe(big - 10);
    expect((await catalog().pending(crawlId, 'example.org', 9))[1]?.notBefore).toBe(big);
  });
}

async function specOf(catalog: Catalog) {
  const { crawlId } = await crawlWith(catalog, []);
  const crawl = (await catalog.crawls()).find(({ id }) => id === crawlId);
  if (!crawl) throw new Error('the crawl just created is not listed');
  return crawl.spec;
}
