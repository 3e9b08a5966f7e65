import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, ROOT, type WebAnswer } from '../../test/crawl-rig.ts';
import { createPageReader } from '../capture/page-reader.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const STORIES = ['a', 'b', 'c', 'd', 'e', 'f'];
const padding = `<!--${'-'.repeat(200)}-->`;
const page = (name: string, body: string): WebAnswer => ({ body: `<title>${name}</title>${padding}${body}` });
const front = page(
  'Courier',
  STORIES.map((name) => `<a href="/${name}">The story of ${name}, told</a>`).join('') +
    '<a href="/list">All of them</a>',
);
const article = (name: string): WebAnswer => page(`The story of ${name}, told – Courier`, '<p>text</p>');
const web = {
  '/': front,
  ...Object.fromEntries(STORIES.map((name) => [`/${name}`, article(name)])),
  // Another one at each request.
  '/a': (times: number) => page('The story of a, told – Courier', `<p>${times}</p>`),
  '/list': page('All', '<a href="/list?page=2">next</a>'),
  '/list?page=2': page('All, 2', ''),
};
const AGREE = { order: 'adaptive-organ-pipe', revisit: 'agree' } as const;

test('a front page, its articles and a list, captured to agree => groups, pairs in the reasons of the second pass', async () => {
  rig = await crawlRig(web);
  const { capture } = await rig.crawl({ spec: AGREE });
  expect(capture.groups).toEqual([
    { kind: 'index', pages: ['/', ...STORIES.map((name) => `/${name}`)].map((path) => ROOT + path) },
    { kind: 'list', pages: ['/list', '/list?page=2'].map((path) => ROOT + path) },
  ]);
  const reasons = (await rig.catalog.visits({ crawlId: 1 })).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason.startsWith('revisit for agree, by')).length).toBe(9);
  expect(reasons.find((reason) => reason.startsWith('revisit'))).toContain('with 7 pairs that must agree');
});

test('captured to be sharp => groups are found all the same; once => nobody looks for them', async () => {
  rig = await crawlRig(web);
  expect((await rig.crawl({ spec: { revisit: 'sharp' } })).capture.groups).toHaveLength(2);
  expect((await rig.crawl()).capture.groups).toBeUndefined();
});

test('a page whose HTML cannot be read => it belongs to no group, and the capture goes on', async () => {
  rig = await crawlRig(web);
  const read = createPageReader();
  const { capture } = await rig.crawl({
    spec: AGREE,
    ports: {
      pageReader: {
        ...read,
        readWording: async (document) =>
          document.url === `${ROOT}/` ? undefined : await read.readWording(document),
      },
    },
  });
  expect(capture.groups?.map(({ kind }) => kind)).toEqual(['list']);
  expect(capture.pages).toHaveLength(9);
});
