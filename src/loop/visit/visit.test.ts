import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT } from '../../../test/crawl-rig.ts';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { textOf } from '../../model/body.ts';
import type { PageInfo } from '../../model/capture.ts';
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
    '/': (times) => (times === 1 ? { ...validated, status: 304 } : { ...linking('/a'), ...validated }),
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

test('a page and a sitemap that can be read in part only => captured, with a fault that is counted', async () => {
  rig = await crawlRig({
    '/robots.txt': { body: `Sitemap: ${ROOT}/map.xml` },
    '/map.xml': { body: 'neither XML nor a list' },
    '/': { ...linking('/a'), headers: [['Content-Encoding', 'unheard-of']] },
    '/a': linking(),
  });
  const { tally } = await rig.crawl({ spec: { sitemaps: true } });
  expect(tally.impaired).toEqual({ 'page-cut': 2 });
  const [visit] = await rig.catalog.visits({ url: `${ROOT}/map.xml` });
  expect(visit).toMatchObject({ outcome: 'captured', fault: { kind: 'page-cut' } });
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
