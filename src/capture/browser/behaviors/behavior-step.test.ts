import { afterAll, beforeAll, expect, test } from 'vitest';
import { page, type SmallSite, startSite } from '../../../../test/e2e/small-site.ts';
import type { RenderRequest } from '../../../ports/renderer.ts';
import { type BrowserRenderer, openBrowserRenderer } from '../browser-renderer.ts';

const TALL = '<div style="height:3000px"></div>';
const MORE = `<!doctype html><title>More</title><ul id=list><li>1</li></ul><button id=more>Show more</button><script>
  let n = 1;
  more.onclick = async () => {
    const item = document.createElement('li');
    item.textContent = await (await fetch('/part?' + ++n)).text();
    list.append(item);
    if (n === 4) more.remove();
  };</script>`;
const CLICK = `<!doctype html><title>Click</title><a id=tab href="/#tab">Tab</a><a href="/elsewhere">Away</a><script>
  tab.onclick = (event) => { event.preventDefault(); fetch('/tab-data'); };</script>`;
/** Each click adds more, the way `add` does it. */
const moreBy = (
  add: string,
): string => `<!doctype html><title>More</title><div id=list>1</div><p id=time>0</p>
  <button id=more>Show more</button><script>
  let n = 1;
  more.onclick = async () => {
    const text = await (await fetch('/part?' + ++n)).text() + ', which is told in bare text';
    ${add}
    if (n === 4) more.remove();
  };</script>`;
const LINKS = `<!doctype html><title>Links</title>${Array.from({ length: 200 }, (_, i) => `<a href="/page/${i}">${i}</a> `).join('')}
  <a id=tab href="#">Tab</a><script>tab.onclick = (event) => { event.preventDefault(); fetch('/tab-data'); };</script>`;
const VIEWS = `<!doctype html><title>Views</title><div id=app></div><script>
  const draw = () => {
    fetch('/view-data?' + location.pathname);
    app.innerHTML = [1, 2, 3].map((n) => '<a href="/v' + n + '">View ' + n + '</a> ').join('');
  };
  app.onclick = (event) => { event.preventDefault(); history.pushState(null, '', event.target.href); draw(); };
  onpopstate = draw;
  draw();</script>`;
const MEDIA = `<!doctype html><title>Media</title><video preload=none src="/film.webm"></video>
  <img src="/small.png" srcset="/small.png 1x, /large.png 2x">`;

let site: SmallSite;
let renderer: BrowserRenderer;
beforeAll(async () => {
  site = await startSite((path) => {
    if (path.startsWith('/part?')) return `item ${path.slice(6)}`;
    if (path === '/more') return MORE;
    if (path === '/click') return CLICK;
    if (path === '/never')
      return '<!doctype html><title>N</title><p>to be read</p><a href="#x" onclick="while(1);">x</a>';
    if (path === '/media') return MEDIA;
    if (path === '/bare') return moreBy('list.append(text);');
    if (path === '/grows') return moreBy('list.firstChild.appendData(text);');
    if (path === '/clock') return moreBy('setInterval(() => { time.textContent = Math.random(); }, 50);');
    if (path === '/links') return LINKS;
    if (path === '/views') return VIEWS;
    if (path === '/late')
      return `<!doctype html><title>Late</title>${TALL}<script>onscroll = () => fetch('/scrolled')</script>`;
    return page('Plain', ['/a']);
  });
  renderer = await openBrowserRenderer({ tabs: 1 });
});
afterAll(async () => {
  await renderer.close();
  await site.close();
});

const render = (path: string, more: Partial<RenderRequest>) =>
  renderer.render({
    ...{ url: site.url + path, userAgent: 'Daguerre-Test/1.0', timeLimit: 60_000, sizeLimit: 1_000_000 },
    ...{ screenshots: false, ...more },
  });
const pathsOf = (rendering: Awaited<ReturnType<typeof render>>): string[] =>
  rendering.exchanges.map(({ url }) => url.slice(site.url.length));
const own = (script: string) => ({ name: 'own.js', script });

const classed = (isMatch: string, run: string) =>
  own(
    `class X { static id = 'X'; static isMatch() { ${isMatch} } static init() { return {}; } async *run(ctx) { ${run} } }`,
  );

test.each([
  [
    'return true',
    "yield ctx.Lib ? 'lib' : 'none'; throw new Error('class boom')",
    /^behaviour own.js failed \(Error: class boom/,
  ],
  ["throw new Error('no match')", 'yield 1', /^behaviour own.js failed \(Error: no match/],
  ['return false', 'yield 1', /^behaviour own.js was not run: it is not for this page$/],
  ['return true', 'yield 1', /^behaviour own.js ended after/],
])('a class: isMatch() { %s }, run() { %s } => %s', async (isMatch, run, fact) => {
  const { facts } = await render('/', { behaviors: [classed(isMatch, run)] });
  expect(facts).toContainEqual(expect.stringMatching(fact));
});

// Some Chromiums survive it; in others the page dies and is shown again.
test('a click that never ends => the page is read and drawn all the same, and a fact says so', async () => {
  const given = { behaviors: ['autoclick'], behaviorTimeout: 1000, screenshots: true } as const;
  const rendering = await render('/never', given);
  expect(rendering.text).toContain('to be read');
  expect(rendering.view).toBeDefined();
  expect(rendering.facts).toContainEqual(
    expect.stringMatching(
      /died in a behaviour .*shown again without any$|^behaviour autoclick was stopped at its time limit/,
    ),
  );
}, 120_000);

test('loadMore => the button is clicked until it is gone, and a fact tells so', async () => {
  const rendering = await render('/more', { behaviors: ['loadMore'] });
  expect(rendering.text).toContain('item 4');
  expect(rendering.facts).toContainEqual(
    expect.stringMatching(/^behaviour loadMore ended after .* with 3 requests$/),
  );
});

test('autoclick => what clicks fetch is there, where they lead is a link, and the page stays', async () => {
  const rendering = await render('/click', { behaviors: ['autoclick'] });
  expect(pathsOf(rendering)).toContain('/tab-data');
  expect(rendering.links).toContain(`${site.url}/elsewhere`);
  expect(rendering).toMatchObject({ title: 'Click', finalUrl: `${site.url}/click` });
});

test('loadMore where more is bare text, in nodes of its own or in one that grows => clicked on; a clock is no more', async () => {
  const nodes = await render('/bare', { behaviors: ['loadMore'] });
  expect(nodes.text).toContain('item 4');
  const grows = await render('/grows', { behaviors: ['loadMore'] });
  expect(grows.text).toContain('item 4');
  const clock = await render('/clock', { behaviors: ['loadMore'], behaviorTimeout: 60_000 });
  // The button is tried once, and left alone when it brings nothing.
  expect(pathsOf(clock).filter((path) => path.startsWith('/part?'))).toEqual(['/part?2']);
});

test('autoclick on many plain links and one tab => the tab is found within a time that a wait for each would pass', async () => {
  const rendering = await render('/links', { behaviors: ['autoclick'], behaviorTimeout: 20_000 });
  expect(pathsOf(rendering)).toContain('/tab-data');
  // At a quarter of a second each, 200 links would be stopped after 80.
  expect(rendering.facts).toContainEqual(expect.stringMatching(/^behaviour autoclick ended /));
  expect(rendering).toMatchObject({ title: 'Links', finalUrl: `${site.url}/links` });
});

test('autoclick in an application that draws its links anew at each view => every view once, and it ends', async () => {
  const rendering = await render('/views', { behaviors: ['autoclick'], behaviorTimeout: 20_000 });
  const views = pathsOf(rendering).filter((path) => path.startsWith('/view-data'));
  expect(views).toEqual(expect.arrayContaining(['/view-data?/v1', '/view-data?/v2', '/view-data?/v3']));
  expect(rendering.facts).toContainEqual(expect.stringMatching(/^behaviour autoclick ended /));
});

test('autofetch and autoplay => every candidate of a picture, and the file of a film; without them neither', async () => {
  const plain = await render('/media', {});
  const full = await render('/media', { behaviors: ['autoscroll', 'autofetch', 'autoplay'] });
  expect(pathsOf(plain)).not.toEqual(expect.arrayContaining(['/large.png']));
  expect(pathsOf(full)).toEqual(expect.arrayContaining(['/large.png', '/film.webm']));
});

test('none => not even scrolled', async () => {
  expect(pathsOf(await render('/late', {}))).toContain('/scrolled');
  expect(pathsOf(await render('/late', { behaviors: [] }))).not.toContain('/scrolled');
});

test.each([
  ['throws', "throw new Error('no way')", /^behaviour own\.js failed \(Error: no way\)/],
  ['waits for ever', 'await new Promise(() => {})', /^behaviour own\.js was stopped at its time limit/],
  ['never gives way', 'for (;;);', /^behaviour own\.js was stopped at its time limit/],
  ['rejects later', 'await fetch("/x"); null.x', /^behaviour own\.js failed \(TypeError/],
])('a script that %s => a fact, and the page is read as ever', async (_, script, fact) => {
  const rendering = await render('/plain', {
    behaviors: [own(script)],
    behaviorTimeout: 500,
    snapshot: true,
  });
  expect(rendering.facts).toContainEqual(expect.stringMatching(fact));
  expect(rendering).toMatchObject({ title: 'Plain', links: [`${site.url}/a`], snapshot: { kind: 'taken' } });
});

test("a script of one's own, plain or as a class of Browsertrix => it acts on the page", async () => {
  const plain = await render('/plain', { behaviors: [own("document.body.append('done by hand')")] });
  expect(plain.text).toContain('done by hand');
  const asClass = `class Own {
    static id = 'Own';
    static isMatch() { return true; }
    static init() { return {}; }
    async *run() { document.body.append('done by class'); yield {}; }
  }`;
  const rendering = await render('/plain', { behaviors: [own(asClass)] });
  expect(rendering.text).toContain('done by class');
});
