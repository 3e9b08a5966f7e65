import { expect, it } from 'vitest';
import type { CaptureFact } from '../../model/capture.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, batch, capture, crawlWith, digest, pageOf, visited, visitOf } from './examples.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://example.org/b';

export function capturesAndPages(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const store = (...captures: CaptureFact[]) =>
    catalog().index({ captures, pages: [], fileLengths: new Map() });
  const listed = async (query: Parameters<Catalog['captures']>[0]) =>
    (await all(catalog().captures(query))).map(({ url, at }) => `${url} ${at}`);

  it('a record that stands in two places => listed in the first, and the second is told', async () => {
    const first = capture('https://example.org/', 1, { recordId: '<urn:uuid:one>' });
    const copies = [{ ...first, file: 'copy.warc.gz' }, capture('https://example.org/other', 2)];
    expect((await store(first)).elsewhere).toEqual([]);
    expect((await store(first)).elsewhere).toEqual([]);
    expect((await store(...copies)).elsewhere).toEqual(copies.slice(0, 1));
    expect(await all(catalog().captures({ url: first.url }))).toEqual([first]);
  });

  it('a capture => all its fields come back', async () => {
    const fact = capture(A, 1_700_000_000_123, {
      type: 'revisit',
      eventId: 'event',
      truncated: 'length',
      refersTo: { url: B, at: 9, profile: 'server-not-modified' },
      etag: '"x"',
      lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT',
      method: 'POST',
      requestBody: 'q=tea&n=1',
      offset: Number.MAX_SAFE_INTEGER - 200,
      digest: { sha256: '', sha1: 'ABC', size: 5_000_000_000 },
    });
    await store(fact);
    expect(await (await reopen()).captureByRecordId(fact.recordId)).toEqual(fact);
    expect(await catalog().captureByRecordId('none')).toBeUndefined();
    expect(await all(catalog().captures({ url: A }))).toEqual([fact]);
  });

  it('the same record again, by id or by place => one row', async () => {
    const fact = capture(A, 1);
    await store(fact, fact);
    await store(fact, { ...fact, recordId: '<urn:uuid:other>' }, { ...fact, file: 'b.warc.gz' });
    expect(await all(catalog().captures({}))).toEqual([fact]);
  });

  it('captures => in order of SURT, then time; filtered, limited, offset', async () => {
    const urls = ['https://b.org/', 'http://www.a.org/z', 'https://a.org/b', 'https://a.org/b?x=1'];
    await store(...urls.flatMap((url) => [capture(url, 20), capture(url, 10)]));
    await store(capture('http://a.org/b', 15), capture('urn:view:https://a.org/b', 20));
    const order = [
      'https://a.org/b 10',
      'http://a.org/b 15',
      'https://a.org/b 20',
      'https://a.org/b?x=1 10',
      'https://a.org/b?x=1 20',
      'http://www.a.org/z 10',
      'http://www.a.org/z 20',
      'https://b.org/ 10',
      'https://b.org/ 20',
      'urn:view:https://a.org/b 20',
    ];
    expect(await listed({})).toEqual(order);
    expect(await listed({ limit: 3, offset: 2 })).toEqual(order.slice(2, 5));
    expect(await listed({ offset: 8 })).toEqual(order.slice(8));
    expect(await listed({ url: 'https://a.org/b' })).toEqual(['https://a.org/b 10', 'https://a.org/b 20']);
    expect(await listed({ urlPrefix: 'https://a.org/b' })).toEqual([0, 2, 3, 4].map((i) => order[i]));
    expect(await listed({ urlPrefix: 'https://b' })).toEqual(order.slice(7, 9));
    expect(await listed({ urlPrefix: 'urn:view:' })).toEqual(order.slice(9));
    expect(await listed({ from: 11, to: 15 })).toEqual(['http://a.org/b 15']);
    expect(await listed({ url: 'https://none.org/' })).toEqual([]);
  });

  it('2,500 captures => all of them, in order, across pages of the listing', async () => {
    const facts = Array.from({ length: 2_500 }, (_, i) => capture(`https://a.org/${i % 7}`, i >> 3));
    await store(...facts);
    const found = await all(catalog().captures({}));
    expect(new Set(found.map(({ recordId }) => recordId)).size).toBe(2_500);
    const keys = found.map(({ url, at }) => `${url} ${String(at).padStart(6, '0')}`);
    expect(keys).toEqual(keys.toSorted());
    expect(await all(catalog().captures({ limit: 1_500, offset: 900 }))).toEqual(found.slice(900, 2_400));
  });

  it('closest => nearest in time, ties to the earlier, errors and revisits included', async () => {
    const [first, second, third] = [capture(A, 100), capture(A, 200, { status: 404 }), capture(A, 300)];
    await store(first, second, third);
    expect(await catalog().closest(A, 0)).toEqual(first);
    expect(await catalog().closest(A, 150)).toEqual(first);
    expect(await catalog().closest(A, 151)).toEqual(second);
    expect(await catalog().closest(A, 300)).toEqual(third);
    expect(await catalog().closest(A, 9_999)).toEqual(third);
    expect(await catalog().closest(B, 100)).toBeUndefined();
  });

  it('closest => the exact URL before one with the same SURT key, however near', async () => {
    const [https, http] = [capture('https://example.org/x', 100), capture('http://www.example.org/x', 900)];
    await store(https, http);
    expect(await catalog().closest('https://example.org/x', 900)).toEqual(https);
    expect(await catalog().closest('http://example.org/x', 600)).toEqual(http);
    expect(await catalog().closest('http://example.org/x', 500)).toEqual(https);
  });

  it('originals => the earliest response per payload, revisits and unknown digests left out', async () => {
    const same = digest('same');
    const late = capture(A, 200, { digest: same });
    const early = capture(B, 100, { digest: same });
    const revisit = capture(A, 50, { digest: same, type: 'revisit' });
    const resource = capture('urn:x:y', 1, { digest: same, type: 'resource' });
    await store(late, early, revisit, resource, capture(A, 1, { digest: digest('else') }));
    const found = await catalog().originals([same.sha256, same.sha256, digest('none').sha256, '']);
    expect([...found]).toEqual([
      [same.sha256, { url: B, at: 100, recordId: early.recordId, sha256: same.sha256, sha1: same.sha1 }],
    ]);
    expect(await catalog().originals([])).toEqual(new Map());
  });

  it('validators => of the last whole 200; none without ETag or Last-Modified', async () => {
    const good = capture(A, 100, { etag: '"1"', lastModified: 'Mon' });
    await store(
      capture(A, 50, { etag: '"0"' }),
      good,
      capture(A, 200, { etag: '"2"', status: 404 }),
      capture(A, 300, { etag: '"3"', type: 'revisit' }),
      capture(A, 400, { etag: '"4"', truncated: 'time' }),
      capture(B, 100),
    );
    const { sha256, sha1 } = good.digest;
    expect(await catalog().validators(A)).toEqual({
      etag: '"1"',
      lastModified: 'Mon',
      original: { url: A, at: 100, recordId: good.recordId, sha256, sha1 },
    });
    expect(await catalog().validators(B)).toBeUndefined();
    expect(await catalog().validators('https://none.org/')).toBeUndefined();
  });

  it('originalOf => by sha256, else sha1, else the URL and time referred to; never a revisit', async () => {
    const original = capture(A, 100);
    const { sha256, sha1 } = original.digest;
    const refersTo = { url: A, at: 250, profile: 'identical-payload-digest' } as const;
    const revisit = (more: Partial<CaptureFact>) => capture(B, 300, { type: 'revisit', ...more });
    const chain = revisit({ url: A, at: 250, digest: original.digest });
    await store(original, chain);
    expect(await catalog().originalOf(original)).toEqual(original);
    expect(await catalog().originalOf(revisit({ digest: { sha256, sha1: 'x', size: 1 } }))).toEqual(original);
    expect(await catalog().originalOf(revisit({ digest: { sha256: '', sha1, size: 1 } }))).toEqual(original);
    const unknown = { sha256: '', sha1: 'UNKNOWN', size: 1 };
    expect(await catalog().originalOf(revisit({ digest: unknown, refersTo }))).toEqual(original);
    const http = { ...refersTo, url: 'http://www.example.org/a' };
    expect(await catalog().originalOf(revisit({ digest: unknown, refersTo: http }))).toEqual(original);
    expect(await catalog().originalOf(revisit({ digest: unknown }))).toBeUndefined();
    const damaged = [original.recordId];
    expect(
      await catalog().originalOf(revisit({ digest: { sha256, sha1, size: 1 }, refersTo }), damaged),
    ).toBeUndefined();
  });

  it('pages => title and status of the newest, in whatever order they come; searched without case', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    const newest = pageOf(A, 200, { title: 'ÄRGER im Neuen', status: 404 });
    const visits = [visited(0, visitOf(A), { page: newest, captures: [capture(A, 200)] })];
    await catalog().commit(batch(crawlId, { visits }));
    await catalog().index({
      pages: [pageOf(A, 100), pageOf(A, 50), pageOf(B, 60), pageOf('https://www.other.org/', 70)],
      captures: [capture(A, 100), capture(B, 60), capture('https://www.other.org/', 70)],
      fileLengths: new Map(),
    });
    const a = { url: A, title: 'ÄRGER im Neuen', captures: 2, firstAt: 100, lastAt: 200, lastStatus: 404 };
    const found = await (await reopen()).pages({});
    expect(found.map(({ url }) => url)).toEqual([A, B, 'https://www.other.org/']);
    expect(found[0]).toEqual(a);
    expect(await catalog().pages({ text: 'ärger' })).toEqual([a]);
    expect(await catalog().pages({ text: '100%_' })).toEqual([]);
    expect((await catalog().pages({ text: 'EXAMPLE.ORG/B' })).map(({ url }) => url)).toEqual([B]);
    expect(await catalog().pages({ site: 'other.org' })).toHaveLength(1);
    expect(await catalog().pages({ site: 'none.org' })).toEqual([]);
    expect((await catalog().pages({ url: B })).map(({ url }) => url)).toEqual([B]);
    expect(await catalog().pages({ url: 'https://none.org/' })).toEqual([]);
    expect((await catalog().pages({ offset: 1 })).map(({ url }) => url)).toEqual([
      B,
      'https://www.other.org/',
    ]);
    expect((await catalog().pages({ limit: 1, offset: 1 })).map(({ url }) => url)).toEqual([B]);
  });

  it('sites => pages, captures and times per site; urn: records belong to none', async () => {
    await catalog().index({
      pages: [pageOf(A, 10)],
      captures: [capture(A, 10), capture('https://www.example.org/b', 30), capture('http://x.org:81/', 5)],
      fileLengths: new Map(),
    });
    await store(capture('urn:view:https://example.org/a', 99));
    expect(await catalog().sites()).toEqual([
      { site: 'example.org', pages: 1, captures: 2, pageCaptures: 1, firstAt: 10, lastAt: 30 },
      { site: 'x.org:81', pages: 0, captures: 1, pageCaptures: 0, firstAt: 5, lastAt: 5 },
    ]);
  });

  it('links => each pair once, from either end', async () => {
    const page = pageOf(A, 1, { links: [B, A, B, 'https://out.org/'] });
    await catalog().index({
      pages: [page, page, pageOf(B, 1, { links: [A] })],
      captures: [],
      fileLengths: new Map(),
    });
    expect(await catalog().links({})).toHaveLength(4);
    expect((await catalog().links({ from: A })).map(({ to }) => to).toSorted()).toEqual(
      [A, B, 'https://out.org/'].toSorted(),
    );
    expect((await catalog().links({ to: A })).map(({ from }) => from).toSorted()).toEqual([A, B]);
    expect(await catalog().links({ from: B, to: A, limit: 5 })).toEqual([{ from: B, to: A }]);
    expect(await catalog().links({ limit: 2 })).toHaveLength(2);
  });
}
