import { describe, expect, test } from 'vitest';
import {
  byId,
  opened,
  snapshotOf,
  tags,
  texts,
  URL_OF_PAGE,
  useViewer,
  view,
} from '../../../test/viewed-page.ts';
import { givenHtml } from './local-answers.ts';

useViewer();

describe('odd documents', () => {
  test('invalid markup => as the browser mends it', async () => {
    const page = await snapshotOf('<table><p id=a>A<td>B</p></b><div id=a>C<p>D<div>E</table></body><p>F');
    expect(texts(page)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  });

  test('no byte, and an empty body => the body alone', async () => {
    expect((await snapshotOf('')).nodes).toHaveLength(1);
    expect((await snapshotOf('<!doctype html><body></body>')).nodes).toMatchObject([
      { tag: 'body', parent: -1 },
    ]);
  });

  test('one picture => body and picture', async () => {
    const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"/>';
    const page = await snapshotOf(`<body style="margin:0"><img src='${svg}'>`);
    expect(page.nodes[1]).toMatchObject({ tag: 'img', box: [0, 0, 200, 100] });
  });

  test('XHTML => as HTML; broken XHTML => what was read, never a fault', async () => {
    const xhtml = (inside: string) =>
      view('', {
        answer: givenHtml(
          URL_OF_PAGE,
          `<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr"><head><title>X</title></head><body>${inside}</body></html>`,
          'application/xhtml+xml',
        ),
      });
    const page = opened(await xhtml('<p id="p">Bonjour</p>'));
    expect(page.language).toBe('fr');
    expect(byId(page, 'p').tag).toBe('p');
    expect((await xhtml('<p>Open')).snapshot.kind).toBe('taken');
  });

  test.each([
    ['plain text', 'text/plain', 'not-html', 'words'],
    ['XML', 'application/xml', 'not-html', '<list/>'],
    ['SVG', 'image/svg+xml', 'not-html', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['JSON', 'application/json', 'not-html', '{}'],
  ])('%s => no snapshot: not HTML', async (_name, type, reason, body) => {
    const { snapshot } = await view('', { answer: givenHtml(URL_OF_PAGE, body, type) });
    expect(snapshot).toEqual({ kind: 'none', reason, contentType: type });
  });

  test('a download, PDF => no snapshot', async () => {
    for (const type of ['application/zip', 'application/pdf']) {
      const { snapshot } = await view('', { answer: givenHtml(URL_OF_PAGE, '%PDF-1.4', type) });
      expect(snapshot.kind).toBe('none');
    }
  });
});

describe('limits', () => {
  test('50,000 elements => all of them', async () => {
    const page = await snapshotOf('<p>x</p>'.repeat(25_000));
    expect(page.nodes).toHaveLength(50_001);
    expect(page.facts).toEqual([]);
  });

  test('more than 250,000 nodes => the first 250,000 and a fact', async () => {
    const page = await snapshotOf('<p>x</p>'.repeat(126_000));
    expect(page.nodes).toHaveLength(250_000);
    expect(page.facts).toEqual(['nodes past the limit of 250000 are left out']);
  });

  test('more than five million characters, a word at the beginning is another => the same texts are left out', async () => {
    const long = `<p>${'word '.repeat(12_000)}</p>`.repeat(90);
    const [one, other] = [await snapshotOf(`<p>one</p>${long}`), await snapshotOf(`<p>another</p>${long}`)];
    expect(texts(one).length).toBeGreaterThan(80);
    expect(texts(one).slice(1)).toEqual(texts(other).slice(1));
    expect(one.facts).toEqual(['texts past the limit of 5000000 characters are left out']);
  });

  // Inline elements: at about 1,800 nested blocks Chromium's own layout overflows its stack.
  test('2,000 elements inside each other => all of them', async () => {
    const page = await snapshotOf(`<body><script>let at = document.body;
      for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElement('span'));
      at.textContent = 'deep';</script>`);
    expect(tags(page).filter((tag) => tag === 'span')).toHaveLength(2000);
    expect(texts(page)).toEqual(['deep']);
  });

  test('an attribute beyond all length => cut, and still its own', async () => {
    const page = await snapshotOf(
      `<a id="a" href="/${'x'.repeat(9000)}1">a</a><a id="b" href="/${'x'.repeat(9000)}2">b</a>`,
    );
    const [a, b] = [byId(page, 'a').attributes.href ?? '', byId(page, 'b').attributes.href ?? ''];
    expect(a.length).toBeLessThan(2100);
    expect(a).not.toBe(b);
  });
});
