import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT } from '../../../test/crawl-rig.ts';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { textOf } from '../../model/body.ts';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import { DamagedRecord, type RecordReader } from '../../ports/record-store.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const spec = { politeness: { ...SPEC.politeness, robots: false } };

async function lastInfo({ catalog, reader, clock }: CrawlRig, path: string): Promise<PageInfo> {
  const fact = await catalog.closest(pageInfoUri(ROOT + path), clock.now());
  if (!fact) throw new Error(`no page info of ${path}`);
  return JSON.parse(await textOf((await reader.read(fact)).payload)) as PageInfo;
}

const validated = { headers: [['ETag', '"one"']] } as const;

test('304 => a revisit, and the links of the archived page', async () => {
  rig = await crawlRig({
    '/': (times) => (times === 0 ? { ...linking('/a'), ...validated } : { ...validated, status: 304 }),
    '/a': linking(),
  });
  await rig.crawl({ spec });
  const { tally } = await rig.crawl({ spec });
  expect(tally).toMatchObject({ unchanged: 2, captured: 0 });
  expect(rig.asked.map(([path]) => path)).toEqual(['/', '/a', '/', '/a']);
});

test('304, and the archived page cannot be read => asked for again in full, said, and its links are followed', async () => {
  rig = await crawlRig({
    // Another page the third time: what an unchanged one tells is not looked up by its time.
    '/': (times) =>
      times === 1
        ? { ...validated, status: 304 }
        : { ...validated, ...linking(...(times === 0 ? ['/a'] : ['/a', '/'])) },
    '/a': linking(),
  });
  await rig.crawl({ spec });
  const damaged: RecordReader = {
    read: (position) => Promise.reject(new DamagedRecord(position, 'its bytes are gone')),
    close: async () => {},
  };
  const { state, tally } = await rig.crawl({ spec, ports: { reader: damaged } });
  expect([state, tally.failed]).toEqual(['finished', 0]);
  expect(rig.asked.map(([path]) => path)).toEqual(['/', '/a', '/', '/', '/a']);
  expect((await lastInfo(rig, '/')).facts).toEqual([
    expect.stringMatching(
      /^not modified, but the archived answer cannot be read, and was asked for again: .*gone$/,
    ),
  ]);
});

/** A byte in the middle of the first record of a page is another one. */
async function damage({ folder, catalog, reader }: CrawlRig, path: string): Promise<void> {
  for await (const { file, offset, length, type } of catalog.captures({ url: ROOT + path })) {
    if (type !== 'response') continue;
    const handle = await open(join(folder, file), 'r+');
    await handle.write(Buffer.from([0x55, 0xaa]), 0, 2, offset + length - 7);
    await handle.close();
    await expect(reader.read({ file, offset, length })).rejects.toThrow(DamagedRecord);
    return;
  }
}

test.each([200, 304])(
  'unchanged by %i, its record damaged => stored whole once, then referred to',
  async (status) => {
    const again = status === 304 ? { ...validated, status } : { ...validated, ...linking() };
    let askedAgain = false;
    rig = await crawlRig({
      '/': (times) => {
        const isFull = times === 0 || askedAgain;
        askedAgain = times === 1;
        return isFull ? { ...validated, ...linking() } : again;
      },
    });
    await rig.crawl({ spec });
    await damage(rig, '/');
    expect((await rig.crawl({ spec })).tally).toMatchObject({ unchanged: 1, captured: 0 });
    expect(rig.notes).toEqual([expect.stringContaining(`an archived record of ${ROOT}/ cannot be read`)]);
    await rig.crawl({ spec });
    const facts: CaptureFact[] = [];
    for await (const fact of rig.catalog.captures({ url: `${ROOT}/` })) facts.push(fact);
    expect(facts.map(({ type }) => type)).toEqual(['response', 'response', 'revisit']);
    expect(facts[2]?.refersTo?.at).toBe(facts[1]?.at);
  },
);

test('a page and a sitemap that can be read in part only => captured, with a fault that is counted', async () => {
  rig = await crawlRig({
    '/robots.txt': { body: `Sitemap: ${ROOT}/map.xml` },
    '/map.xml': { body: 'neither XML nor a list' },
    '/': { ...linking('/a'), headers: [['Content-Encoding', 'unheard-of']] },
    '/a': linking(),
  });
  const { tally } = await rig.crawl({ spec: { sitemaps: true } });
  expect(tally.impaired).toEqual({ 'not-decodable': 1, 'page-cut': 1 });
  const [visit] = await rig.catalog.visits({ url: `${ROOT}/map.xml` });
  expect(visit).toMatchObject({ outcome: 'captured', fault: { kind: 'page-cut' } });
});

const cut = { ...linking('/broken', '/garbled'), truncated: 'disconnect' } as const;

test('an answer that was cut, or is not in the coding it says => captured, and counted by what is wrong', async () => {
  const garbage = { body: 'not brotli at all', headers: [['Content-Encoding', 'br']] } as const;
  rig = await crawlRig({ '/': cut, '/broken': cut, '/garbled': garbage });
  const { tally } = await rig.crawl({ spec });
  expect(tally).toMatchObject({ new: 3, impaired: { 'cut-short': 2, 'not-decodable': 1 } });
  expect(tally.sites).toMatchObject([{ site: 'example.org', impaired: { 'cut-short': 2 } }]);
  expect((await lastInfo(rig, '/')).facts.join()).toMatch(/the connection broke off after \d+ bytes/);
  const again = await rig.crawl({ spec });
  expect(again.tally).toMatchObject({ new: 0, impaired: { 'cut-short': 2, 'not-decodable': 1 } });
});

test('cut at visit and revisit => one page, not sharp; whole at the next crawl => a version of its own', async () => {
  rig = await crawlRig({ '/': (times) => (times < 2 ? cut : linking('/broken', '/garbled')) });
  const { tally, capture } = await rig.crawl({ spec: { ...spec, revisit: 'sharp' } });
  expect(tally.impaired).toEqual({ 'cut-short': 1 });
  expect(capture.pages).toMatchObject([
    { visit: { truncated: 'disconnect' }, revisit: { truncated: 'disconnect', outcome: 'cut' } },
  ]);
  await rig.crawl({ spec });
  const last = await rig.catalog.closest(`${ROOT}/`, rig.clock.now());
  expect(last).toMatchObject({ type: 'response' });
  expect(last?.truncated).toBeUndefined();
});

test('304 or 206 that nobody asked for => failed, stored, and no version that a later one differs from', async () => {
  const once = (status: number) => (times: number) => (times === 0 ? { status, body: 'part' } : linking());
  rig = await crawlRig({ '/': linking('/304', '/206'), '/304': once(304), '/206': once(206) });
  const { tally } = await rig.crawl({ spec });
  expect(tally).toMatchObject({ new: 1, failed: 2, failures: { 'unasked-answer': 2 } });
  expect(await rig.catalog.closest(`${ROOT}/206`, rig.clock.now())).toMatchObject({ status: 206 });
  expect((await rig.crawl({ spec })).tally).toMatchObject({ new: 2, unchanged: 1, failed: 0 });
});

test('a second pass => pages that stand are unchanged, one that changed is a page of its own', async () => {
  rig = await crawlRig({
    '/': linking('/still', '/moving'),
    '/still': { ...linking(), body: `<p>${'the same '.repeat(30)}` },
    '/moving': (times) => ({ body: `<title>number ${times}</title>${'text '.repeat(50)}` }),
  });
  const { tally, capture } = await rig.crawl({ spec: { ...spec, revisit: 'sharp' } });
  expect(tally.revisits).toEqual({ captured: 1, unchanged: 2, failed: 0 });
  expect(capture.pages.map(({ url, revisit }) => [url.slice(ROOT.length), revisit?.outcome])).toEqual(
    expect.arrayContaining([
      ['/still', 'same'],
      ['/moving', 'changed'],
    ]),
  );
  expect((await lastInfo(rig, '/moving')).title).toBe('number 1');
});

test('a redirect that leads nowhere, and one in a circle => faults; nothing is followed', async () => {
  rig = await crawlRig({
    '/': linking('/nowhere', '/round'),
    '/nowhere': { status: 302, headers: [['Location', 'http://[']] },
    '/round': { status: 302, headers: [['Location', '/round']] },
  });
  const { tally } = await rig.crawl({ spec });
  expect(tally.failures).toEqual({ 'malformed-response': 1, 'redirect-loop': 1 });
  expect(rig.asked).toHaveLength(3);
});
