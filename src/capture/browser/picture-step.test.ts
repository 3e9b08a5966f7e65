import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { opened, snapshotOf, URL_OF_PAGE, useViewer, view } from '../../../test/viewed-page.ts';
import { memoryBody } from '../../model/body.ts';
import type { SnapshotElement } from '../../model/page-snapshot.ts';
import { givenHtml } from './local-answers.ts';

useViewer();

const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PAGE = `<body><p style="height: 3000px">Far above</p><img loading="lazy" width="50" height="50" src="/late.gif" alt="late"></body>`;

/** The page, and a picture that arrives after this many milliseconds. */
const late = (delay: number) => {
  const page = givenHtml(URL_OF_PAGE, PAGE);
  return async (url: string) => {
    if (!url.endsWith('/late.gif')) return page(url);
    await pause(delay);
    const headers = [['content-type', 'image/gif']] as const;
    return { status: 200, headers, body: memoryBody(DOT), framing: 'identity' as const };
  };
};

const said = (facts: readonly string[]) => facts.filter((fact) => fact.includes('had not come'));

test('a lazy picture far down that takes a second => waited for, no fact', async () => {
  const { facts } = await view(PAGE, { answer: late(1000) });
  expect(said(facts)).toEqual([]);
}, 60_000);

test('the addresses of a lazy picture => kept, without that shown, four at most', async () => {
  const snapshot =
    await snapshotOf(`<body><picture><source srcset="/wide-1.webp 1x, /wide-2.webp 2x" media="(min-width: 9000px)">
    <img src="data:image/gif;base64,${DOT.toString('base64')}" data-src="/a.jpg" data-lazy-srcset="/b-1.jpg 320w, /b-2.jpg 640w"
      data-image='{"no": "address"}' data-url="12" width="40" height="40"></picture></body>`);
  const image = snapshot.nodes.find(
    (node) => node.kind === 'element' && node.tag === 'img',
  ) as SnapshotElement;
  const at = (path: string) => new URL(path, URL_OF_PAGE).href;
  expect(image.attributes.candidates?.split(' ')).toEqual([at('/a.jpg'), at('/b-1.jpg'), at('/wide-1.webp')]);
}, 60_000);

test('a picture without other addresses => none kept', async () => {
  const { nodes } = opened(await view('<body><img src="/x.png" width="9" height="9" alt="x"></body>'));
  const image = nodes.find((node) => node.kind === 'element' && node.tag === 'img') as SnapshotElement;
  expect(image.attributes.candidates).toBeUndefined();
}, 60_000);
