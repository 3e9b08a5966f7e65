import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedData } from '../../test/shared-data.ts';
import { givenHtml, openPageViewer } from '../capture/browser/index.ts';
import { parseHtmlTree } from '../capture/html/html-tree.ts';
import { unpackSnapshot } from '../model/snapshot-codec.ts';
import type { PageViewer } from '../ports/page-viewer.ts';
import { blocks } from '../science/layout/blocks/index.ts';
import { pageLayout } from '../science/layout/page-layout.ts';
import {
  afterTurn,
  agrees,
  type HtmlVersion,
  type KeptTemplate,
  learnedTemplate,
  parseTemplate,
  templateLayout,
  writeTemplate,
} from './template-layout.ts';

let viewer: PageViewer;
beforeAll(async () => {
  viewer = await openPageViewer();
});
afterAll(() => viewer.close());

const URL_OF_PAGE = 'https://page.test/news/index.html';
const options = { segmenter: blocks.name, parse: parseHtmlTree };

const versionOf = (html: string): HtmlVersion => ({ html, digest: `${html.length} ${html}` });

/** The slow way. */
async function rendered(html: string, url = URL_OF_PAGE) {
  const { snapshot } = await viewer.view({
    url,
    answer: givenHtml(url, html),
    scripts: true,
    timeLimit: 60_000,
  });
  if (snapshot.kind === 'none') throw new Error(snapshot.reason);
  const seen = unpackSnapshot(snapshot.packed);
  return { snapshot: seen, placed: pageLayout(seen, { version: 'rendered' }) };
}

async function learned(html: string, url = URL_OF_PAGE) {
  const { snapshot, placed } = await rendered(html, url);
  return learnedTemplate(versionOf(html), snapshot, placed, options);
}

async function template(html: string): Promise<KeptTemplate> {
  const result = await learned(html);
  if (result.kind === 'refused') throw new Error(result.reason);
  // Through JSON, as it is kept.
  return parseTemplate(writeTemplate(result.kept)) as KeptTemplate;
}

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

/** A page as a small paper would have it. */
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
    const kept = await template(page({}));
    const outcome = templateLayout(kept, versionOf(html), { ...options, version: 'new' });
    expect(outcome).toMatchObject({ kind: 'filled', boxesOf: 'rendered', layout: { version: 'new' } });
    if (outcome.kind !== 'filled') return;
    const { layout } = (await rendered(html)).placed;
    expect(outcome.layout.title).toBe(layout.title);
    expect(contents(outcome.layout.root)).toEqual(contents(layout.root));
    expect(agrees(outcome.layout, layout)).toBe(true);
  });

  test('the same bytes => nothing to do', async () => {
    const kept = await template(page({}));
    expect(templateLayout(kept, versionOf(page({})), { ...options, version: '2' })).toEqual({ kind: 'same' });
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
    ['an article more', page({ body: `<h2>Another</h2><p>${PROSE.repeat(9)}` }), ''],
  ])('%s => to be rendered', async (_, html, reason) => {
    const kept = await template(page({}));
    const outcome = templateLayout(kept, versionOf(html), { ...options, version: '2' });
    expect(outcome.kind).toBe('render');
    if (outcome.kind === 'render') expect(outcome.reason).toContain(reason);
  });

  test('of another segmenter, or none kept => to be rendered', async () => {
    const kept = await template(page({}));
    const version = versionOf(page({ headline: 'X' }));
    expect(templateLayout(kept, version, { ...options, version: '2', segmenter: 'other/1' }).kind).toBe(
      'render',
    );
    expect(templateLayout(undefined, version, { ...options, version: '2' }).kind).toBe('render');
  });

  test('every second version is verified; a disagreement drops the template', async () => {
    const kept = await template(page({}));
    const next = versionOf(page({ headline: 'Council meets AGAIN' }));
    const turn = (from: KeptTemplate) =>
      templateLayout(from, next, { ...options, version: '2', verifyEvery: 2 });
    expect(turn(kept)).toMatchObject({ kind: 'filled', verify: false });
    const after = afterTurn(kept, 'another', 'filled') as KeptTemplate;
    expect(turn(after)).toMatchObject({ kind: 'filled', verify: true });
    expect(afterTurn(after, 'x', 'agreed')?.trust.filled).toBe(0);
    expect(afterTurn(after, 'x', 'disagreed')).toBeUndefined();
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
    const result = await learned(html);
    expect(result.kind).toBe('refused');
    if (result.kind === 'refused') expect(result.reason).toContain(reason);
  });

  test('a script that fills in lazy pictures => static all the same', async () => {
    const html = (name: string) =>
      page({
        body: `<img id=x data-src="/${name}.png" width=90 height=90><script>x.src = x.dataset.src</script>`,
      });
    const kept = await template(html('one'));
    const outcome = templateLayout(kept, versionOf(html('two')), { ...options, version: '2' });
    if (outcome.kind !== 'filled') throw new Error(JSON.stringify(outcome));
    expect(agrees(outcome.layout, (await rendered(html('two'))).placed.layout)).toBe(true);
  });
});

/** What can be compared: no boxes, no importance. */
function contents(block: ReturnType<typeof pageLayout>['layout']['root']): unknown {
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
      let before = await learned(htmls[0] as string, url);
      for (const html of htmls.slice(1)) {
        const { snapshot, placed } = await rendered(html, url);
        if (before.kind === 'learned') {
          const outcome = templateLayout(before.kept, versionOf(html), { ...options, version: '2' });
          if (outcome.kind === 'filled') {
            expect(contents(outcome.layout.root)).toEqual(contents(placed.layout.root));
            filled++;
          }
        }
        before = learnedTemplate(versionOf(html), snapshot, placed, options);
      }
      expect(filled).toBeGreaterThan(0);
    },
  );
});
