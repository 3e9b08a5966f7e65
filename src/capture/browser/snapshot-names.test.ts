import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { PageViewer } from '../../ports/page-viewer.ts';
import { urlName } from '../../science/layout/template/url-names.ts';
import { givenHtml } from './local-answers.ts';
import { openPageViewer } from './page-viewer.ts';

let viewer: PageViewer;
beforeAll(async () => {
  viewer = await openPageViewer();
});
afterAll(() => viewer?.close());

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

test('data: pictures and long attributes => named by a real digest, in the page as in science', async () => {
  const url = 'https://names.invalid/';
  // Lengths around the padding, and every width of character.
  const pictures = [0, 1, 30, 31, 32, 33, 95, 3000].map((n) => `data:image/gif;base64,${'A'.repeat(n)}`);
  const title = `é日😀${'x'.repeat(3000)}`;
  const html = `<meta charset="utf-8"><p title="${title}">words</p>${pictures
    .map((source) => `<img width="9" height="9" alt="a" src="${source}">`)
    .join('')}`;
  const { snapshot } = await viewer.view({
    url,
    answer: givenHtml(url, html),
    scripts: false,
    timeLimit: 60_000,
  });
  if (snapshot.kind !== 'taken') throw new Error(`no snapshot: ${snapshot.reason}`);
  const elements = unpackSnapshot(snapshot.packed).nodes.flatMap((node) =>
    node.kind === 'element' ? [node] : [],
  );
  const sources = elements.flatMap(({ tag, attributes }) => (tag === 'img' ? [attributes['src']] : []));
  expect(sources).toEqual(pictures.map((source) => `data:${digest(source)}`));
  expect(sources).toEqual(pictures.map(urlName));
  const said = elements.find(({ tag }) => tag === 'p')?.attributes['title'];
  expect(said).toBe(`${title.slice(0, 2048)}#${digest(title)}`);
}, 120_000);
