import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedData } from '../../test/shared-data.ts';
import { givenHtml, openPageViewer } from '../capture/browser/index.ts';
import { parseHtmlTree } from '../capture/html/html-tree.ts';
import type { Block, Layout } from '../model/layout.ts';
import type { Filling, RenderedVersion } from '../ports/page-analyser.ts';
import type { PageViewer } from '../ports/page-viewer.ts';
import { parseViXml, writeViXml } from '../science/layout/vi-xml.ts';
import { placedFrom } from './stored/layout.ts';
import { createTemplateFiller, difference } from './template-layout.ts';

let viewer: PageViewer;
beforeAll(async () => {
  viewer = await openPageViewer();
});
afterAll(() => viewer.close());

const URL_OF_PAGE = 'https://page.test/news/index.html';
const filler = createTemplateFiller(parseHtmlTree);

/** The slow way: by a browser. */
async function rendered(
  html: string,
  url = URL_OF_PAGE,
  previous?: Layout,
): Promise<RenderedVersion & { layout: Layout }> {
  const { snapshot } = await viewer.view({
    url,
    answer: givenHtml(url, html),
    scripts: true,
    timeLimit: 60_000,
  });
  if (snapshot.kind === 'none') throw new Error(snapshot.reason);
  const { packed } = snapshot;
  // A version of its own: templates are distinguished by it.
  const version = `rendered ${html.length} ${html}`;
  const { layout } = placedFrom(packed, url, version, undefined, previous);
  return { version, html, packed, layout, viXml: writeViXml(layout) };
}

const fill = (of: RenderedVersion, html: string, url = URL_OF_PAGE): Filling =>
  filler({ kind: 'fill', url, version: 'new', html, of, pictures: {} });

const layoutOf = (filling: Filling): Layout => {
  if (filling.kind === 'render') throw new Error(filling.reason);
  return parseViXml(filling.viXml);
};

const STYLE = `body { margin: 0 } header { background: #ddd; padding: 20px } nav { float: left; width: 200px; padding: 10px }
  main { margin-left: 260px } footer { clear: both; background: #333; color: #fff; padding: 30px } .no { display: none }
  h2 { text-transform: uppercase } h2::before { content: "» " }`;

interface Parts {
  readonly headline?: string;
  readonly list?: readonly string[];
  readonly body?: string;
  readonly head?: string;
}

const PROSE =
  'The council met for the third time this week and found no answer to the question of the bridge. '.repeat(
    6,
  );

/** A page as a small newspaper would have it. */
const page = ({
  headline = 'Council meets again',
  list = ['One', 'Two', 'Three'],
  body = '',
  head = '',
}: Parts) =>
  `<!doctype html><html lang=en><head><title>Paper: ${headline}</title><style>${STYLE}</style>${head}</head><body>
  <header><a href="/"><img src="/logo.png" alt="The Paper" width=200 height=40></a></header>
  <nav><ul>${list.map((item) => `<li><a href="/s/${item.toLowerCase()}">${item}</a>`).join('\n')}</ul></nav>
  <main><h2>${headline}</h2><p>By <b>A. Writer</b>, today<br>Reading time: 3&nbsp;minutes<p>${PROSE}
  <p class=no>Not shown<p>${PROSE}<ol><li>First point<li>Second &amp; last</ol>
  <picture><source srcset="/wide.webp 1x, /wider.webp 2x"><img srcset="a.jpg 1x, b.jpg 2x" src=c.jpg alt="A bridge" width=600 height=300></picture>
  ${body}</main><footer><p>Imprint <a href="imprint.html">here</a></p><form><input name=q><input type=submit value=Search></form></footer>`;

describe('a page that is static', () => {
  test.each([
    ['the same words elsewhere in capitals', page({ headline: 'Council meets AGAIN' })],
    ['another headline', page({ headline: 'Council meets at dawn' })],
    ['one more entry in the menu', page({ list: ['One', 'Two', 'Three', 'Four'] })],
    ['one less entry, others renamed', page({ list: ['Uno', 'Due'] })],
    ['another word in the prose', page({}).replace('third time', 'fourth time')],
    ['another picture', page({}).replaceAll('/wide.webp', '/bridge.webp')],
    ['another link', page({}).replace('imprint.html', '../imprint.html?x=1&amp;y=2')],
    ['hidden content only', page({}).replace('Not shown', 'Not shown either, but longer')],
  ])('%s => filled, with the layout that rendering gives', async (_, html) => {
    const filled = layoutOf(fill(await rendered(page({})), html));
    const { layout } = await rendered(html);
    expect(filled).toMatchObject({ version: 'new', url: URL_OF_PAGE, title: layout.title });
    expect(contents(filled.root)).toEqual(contents(layout.root));
    expect(difference(filled, layout)).toBeUndefined();
  });

  test('its words and the pictures that show are told', async () => {
    const filling = fill(await rendered(page({})), page({ headline: 'Council meets AGAIN' }));
    expect(filling).toMatchObject({ kind: 'filled', title: 'Paper: Council meets AGAIN' });
    if (filling.kind !== 'filled') return;
    expect(filling.text.split('\n')).toContain('By A. Writer, today');
    expect(filling.text).not.toContain('Not shown');
    expect(filling.sources).toEqual(['https://page.test/logo.png', 'https://page.test/wide.webp']);
  });

  test('compared with a rendering => where they differ, or nowhere', async () => {
    const of = await rendered(page({}));
    const html = page({ headline: 'Council meets AGAIN' });
    const request = { kind: 'fill', url: URL_OF_PAGE, version: 'new', html, of, pictures: {} } as const;
    const same = filler({ ...request, rendered: (await rendered(html)).packed });
    expect(same).toMatchObject({ kind: 'filled' });
    expect(same).not.toHaveProperty('differsAt');
    const other = page({ headline: 'Council meets AGAIN', list: ['One', 'Two', 'Tree'] });
    expect(filler({ ...request, rendered: (await rendered(other)).packed })).toMatchObject({
      differsAt: expect.stringMatching(/^B1/u),
    });
  });

  test.each([
    ['another style sheet', page({}).replace('.no {', '.other {'), 'other style sheets'],
    ['one more script', page({ head: '<script>document.title = 1</script>' }), 'other scripts'],
    [
      'an element never seen',
      page({ body: '<aside class=box>New</aside>' }),
      'nothing is known of <aside .box>',
    ],
    [
      'markup that is read in doubt',
      page({ body: '<template shadowrootmode=open></template>' }),
      'doubtful markup',
    ],
    ['a link that holds nothing any more', page({}).replace('>here<', '><'), 'nothing is left in <a'],
    ['an article more', page({ body: `<h2>Another</h2><p>${PROSE.repeat(9)}` }), ''],
  ])('%s => to be rendered', async (_, html, reason) => {
    const filling = fill(await rendered(page({})), html);
    expect(filling.kind).toBe('render');
    if (filling.kind === 'render') expect(filling.reason).toContain(reason);
  });
});

describe('a page that is not static => no template', () => {
  test.each([
    [
      'a script that writes',
      page({ body: '<div id=x></div><script>x.append("written")</script>' }),
      'does not have',
    ],
    [
      'a script that changes a text',
      page({ body: '<p id=x>a<script>x.textContent="b"</script>' }),
      'does not have',
    ],
    [
      'a script that changes a link',
      page({ body: '<a id=x href="/a">a</a><script>x.href="/b"</script>' }),
      'otherwise',
    ],
    ['a script that sets the title', page({ body: '<script>document.title="b"</script>' }), 'title'],
    [
      'a picture whose address is nowhere in the HTML',
      page({ body: '<img id=x width=90 height=90><script>x.src="/x" + 1</script>' }),
      'not in the HTML',
    ],
  ])('%s', async (_, html, reason) => {
    const filling = fill(await rendered(html), html);
    expect(filling.kind).toBe('render');
    if (filling.kind === 'render') expect(filling.reason).toContain(reason);
  });

  test('a script that fills in lazy pictures => static all the same', async () => {
    const html = (name: string) =>
      page({
        body: `<img id=x data-src="/${name}.png" width=90 height=90><script>x.src = x.dataset.src</script>`,
      });
    const filled = layoutOf(fill(await rendered(html('one')), html('two')));
    expect(difference(filled, (await rendered(html('two'))).layout)).toBeUndefined();
  });
});

/** The comparable parts: no boxes, no importance. */
function contents(block: Block): unknown {
  const { ref, id, links, images, texts } = block;
  return { ref, id, links, images, texts, blocks: block.blocks.map(contents) };
}

const REAL = ['openbsd-index', 'flink-index', 'news-zeit.de-index'];
const archives = REAL.map((name) => [name, sharedData(`versions/${name}.tar.xz`)] as const);
const present = archives.every(([, file]) => file !== undefined);
if (!present) process.stderr.write('template: real versions are not there (../shared/data), skipped\n');

describe.skipIf(!present)('real versions', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'daguerre-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(archives)(
    '%s: every version filled is what rendering gives, and some are filled',
    async (name, file) => {
      expect(spawnSync('tar', ['xf', file as string, '-C', folder]).status).toBe(0);
      const url = `https://${name}.test/`;
      const files = readdirSync(path.join(folder, name)).filter((entry) => entry.endsWith('.html'));
      const start = name.startsWith('news') ? 0 : files.length >> 1;
      const htmls = files
        .slice(start, start + 5)
        .map((entry) => readFileSync(path.join(folder, name, entry), 'utf8'));
      let filled = 0;
      let before = await rendered(htmls[0] as string, url);
      for (const html of htmls.slice(1)) {
        const now = await rendered(html, url, before.layout);
        const filling = fill(before, html, url);
        if (html !== before.html && filling.kind === 'filled') {
          expect(contents(layoutOf(filling).root)).toEqual(contents(now.layout.root));
          expect(layoutOf(filling).memory).toBe(before.layout.memory);
          filled++;
        }
        before = now;
      }
      expect(filled).toBeGreaterThan(0);
    },
  );
});
