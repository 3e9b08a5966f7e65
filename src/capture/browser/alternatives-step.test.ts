import { expect, it } from 'vitest';
import { type Answer, startSite } from '../../../test/e2e/small-site.ts';
import { openBrowserRenderer } from './browser-renderer.ts';

const PAGE = `<!doctype html><base href="/base/"><title>page</title>
  <img src="one.png" srcset="one.png 1x, two.png 2x, data:image/png;base64,AAAA 3x" data-srcset="late.png 300w">
  <iframe src="/frame"></iframe><div id="host"></div>
  <p style="background: image-set('set-1.png' 1x, 'set-2.png' 2x)">words</p>
  <script>
    const root = document.querySelector('#host').attachShadow({ mode: 'open' });
    root.innerHTML = '<picture><source media="(max-width: 9px)" srcset="shadow.png"><img src="shown.png"></picture>';
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@media (max-width: 9px) { p { background: url(/adopted.png) } }');
    document.adoptedStyleSheets = [sheet];
  </script>`;
const PAGES: Readonly<Record<string, Answer>> = {
  '/': PAGE,
  '/frame':
    '<!doctype html><video poster="poster.png"></video><img srcset="f1.png 1x, f2.png 2x" loading="lazy">',
};

it('pictures, styles, shadow roots, frames => what the browser did not ask for, each once, absolute', async () => {
  const site = await startSite(
    (path) => PAGES[path] ?? { headers: { 'Content-Type': 'image/png' }, body: 'no picture' },
  );
  const renderer = await openBrowserRenderer({ tabs: 1 });
  try {
    let named: readonly string[] = [];
    const { exchanges } = await renderer.render({
      url: `${site.url}/`,
      userAgent: 'Daguerre-Test/1.0',
      timeLimit: 60_000,
      sizeLimit: 1_000_000,
      screenshots: false,
      onAlternatives: (urls) => {
        named = urls;
      },
    });
    const short = (url: string) => url.slice(site.url.length);
    const loaded = exchanges.map(({ url }) => short(url));
    const expected = ['two', 'late', 'set-2', 'shadow'].map((name) => `/base/${name}.png`);
    expect(named.map(short).toSorted()).toEqual([...expected, '/adopted.png', '/f2.png'].toSorted());
    expect(loaded).toEqual(expect.arrayContaining(['/base/one.png', '/base/shown.png', '/poster.png']));
  } finally {
    await renderer.close();
    await site.close();
  }
}, 60_000);

const css = (body: string): Answer => ({ headers: { 'Content-Type': 'text/css' }, body });
const SHEETS: Readonly<Record<string, Answer>> = {
  '/sheets': `<!doctype html><title>sheets</title><link rel="stylesheet" media="print" href="/print.css">
    <link rel="stylesheet" href="/all.css"><style>@import "/inline.css" print;</style><p>words</p><h1>words</h1>`,
  '/print.css': css('@import "/deep.css"; p { background: url(/print.png) }'),
  '/deep.css': css('@import url(/deeper.css); p { background: url(/deep.png) }'),
  '/deeper.css': css('p { background: url(/deeper.png) }'),
  '/all.css': css('@import url("/some.css") print; @import "/every.css"; p { color: red }'),
  '/some.css': css('h1 { background: url(/some.png) }'),
  '/every.css': css('h2 { background: url(/every.png) } @media print { h1 { background: url(/block.png) } }'),
  '/inline.css': css('h1 { background: url(/inline.png) }'),
};

it('what sheets for print import, at any depth => named with what those name; what is for every screen is not', async () => {
  const site = await startSite(
    (path) => SHEETS[path] ?? { headers: { 'Content-Type': 'image/png' }, body: 'no picture' },
  );
  const renderer = await openBrowserRenderer({ tabs: 1 });
  try {
    let named: readonly string[] = [];
    const { exchanges } = await renderer.render({
      ...{ url: `${site.url}/sheets`, userAgent: 'Daguerre-Test/1.0', timeLimit: 60_000 },
      ...{ sizeLimit: 1_000_000, screenshots: false },
      onAlternatives: (urls) => {
        named = urls;
      },
    });
    const short = (url: string) => url.slice(site.url.length);
    const has = new Set([...named, ...exchanges.map(({ url }) => url)].map(short));
    expect([...has]).toEqual(
      expect.arrayContaining(
        ['print', 'deep', 'deeper', 'some', 'block', 'inline'].map((name) => `/${name}.png`),
      ),
    );
    expect(has.has('/every.png')).toBe(false);
  } finally {
    await renderer.close();
    await site.close();
  }
}, 60_000);
