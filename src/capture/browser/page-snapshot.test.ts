import { beforeAll, describe, expect, test } from 'vitest';
import {
  byId,
  holderOf,
  ids,
  opened,
  pages,
  snapshotOf,
  tags,
  texts,
  URL_OF_PAGE,
  useViewer,
  view,
} from '../../../test/viewed-page.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';

useViewer();

describe('a plain page', () => {
  let page: PageSnapshot;
  beforeAll(async () => {
    page = await snapshotOf(`<!doctype html><html lang="nl"><title>Plain</title><body style="margin:0">
      <div id="box" style="position:absolute;left:10.5px;top:20px;width:300px;height:40px">One
        two&nbsp; <b>three</b></div>
      <a id="link" href="../other?q=1#part">Link</a></body>`);
  });

  test('url, title, language, sizes', () => {
    expect(page).toMatchObject({
      format: 1,
      url: URL_OF_PAGE,
      title: 'Plain',
      language: 'nl',
      viewport: { width: 1280, height: 1024 },
      page: { width: 1280, height: 1024 },
      facts: [],
    });
  });

  test('the body first, each parent before its children', () => {
    expect(page.nodes[0]).toMatchObject({ kind: 'element', tag: 'body', parent: -1 });
    for (const [at, node] of page.nodes.entries()) expect(node.parent).toBeLessThan(at);
  });

  test('boxes are as laid out, text has its own inside its element', () => {
    expect(byId(page, 'box').box).toEqual([10.5, 20, 300, 40]);
    const text = page.nodes.find((node) => node.kind === 'text' && node.text === 'One two');
    expect(text?.box[0]).toBe(10.5);
    expect(text?.box[2]).toBeLessThan(200);
  });

  test('white space => one space, none at the ends', () => {
    expect(texts(page)).toEqual(['One two', 'three', 'Link']);
  });

  test('href => absolute', () => {
    expect(byId(page, 'link').attributes.href).toBe('http://page.test/other?q=1#part');
  });
});

test('a page scrolled and taller than the window => boxes of the page', async () => {
  const page = await snapshotOf(
    '<body style="margin:0"><div style="height:3000px"></div><p id="low" style="margin:0">Low</p>',
  );
  expect(byId(page, 'low').box[1]).toBe(3000);
  expect(page.page.height).toBeGreaterThan(3000);
});

describe('the flattened tree', () => {
  test('shadow root with slots => in the order they show', async () => {
    const page =
      await snapshotOf(`<x-card id="host"><span slot="title">Title</span><i>Rest</i></x-card><script>
      document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML =
        '<section id="inner"><slot></slot><slot name="title"></slot><slot name="none"><u>Fallback</u></slot></section>';
    </script>`);
    expect(texts(page)).toEqual(['Rest', 'Title', 'Fallback']);
    const inner = byId(page, 'inner');
    expect(page.nodes[inner.parent]).toBe(byId(page, 'host'));
    const holder = holderOf(page, 'Title');
    expect(holder.tag).toBe('span');
    expect(page.nodes[holder.parent]).toBe(inner);
  });

  test('children beside the slots of a shadow root => left out', async () => {
    const page = await snapshotOf(`<div id="host"><b>unseen</b></div><script>
      document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<p>seen</p>';</script>`);
    expect(texts(page)).toEqual(['seen']);
  });

  test('nested frames of the same origin => at their place on the page', async () => {
    const frame = (name: string, inside: string) =>
      `<body style="margin:0"><div id="${name}" style="position:absolute;left:7px;top:9px;width:50px;height:5px">x</div>${inside}`;
    const style = 'position:absolute;border:3px solid;padding:2px;width:400px;height:300px';
    const page = await snapshotOf('', {
      ...pages({
        [URL_OF_PAGE]: frame(
          'top',
          `<iframe id="f1" src="/a.html" style="left:100px;top:200px;${style}"></iframe>`,
        ),
        'http://page.test/a.html': frame(
          'a',
          `<iframe id="f2" src="b.html" style="left:10px;top:20px;${style}">`,
        ),
        'http://page.test/b.html': frame('b', ''),
      }),
    });
    expect(byId(page, 'top').box.slice(0, 2)).toEqual([7, 9]);
    expect(byId(page, 'a').box.slice(0, 2)).toEqual([7 + 100 + 5, 9 + 200 + 5]);
    expect(byId(page, 'b').box.slice(0, 2)).toEqual([7 + 100 + 10 + 10, 9 + 200 + 20 + 10]);
    expect(page.facts).toEqual([]);
  });

  test('a frame of another origin => one element and a fact', async () => {
    const page = await snapshotOf('', {
      ...pages({
        [URL_OF_PAGE]:
          '<iframe id="ad" src="http://other.test/ad.html?x=1" width="300" height="250"></iframe>',
        'http://other.test/ad.html?x=1': '<p>Foreign</p>',
      }),
    });
    expect(byId(page, 'ad').box.slice(2)).toEqual([304, 254]);
    expect(byId(page, 'ad').attributes.src).toBe('http://other.test/ad.html?x=1');
    expect(texts(page)).toEqual([]);
    expect(page.facts).toEqual(['foreign frame, one element: http://other.test/ad.html']);
  });

  test('frameset => its frames beside each other', async () => {
    const page = await snapshotOf('', {
      ...pages({
        [URL_OF_PAGE]: '<frameset cols="200,*"><frame id="l" src="/l"><frame id="r" src="/r"></frameset>',
        'http://page.test/l': '<p>Left</p>',
        'http://page.test/r': '<p>Right</p>',
      }),
    });
    expect(page.nodes[0]).toMatchObject({ tag: 'frameset' });
    expect(texts(page)).toEqual(['Left', 'Right']);
    expect(holderOf(page, 'Right').box[0]).toBeGreaterThan(200);
  });

  test('display: contents => its children stand in its place', async () => {
    const page = await snapshotOf(
      '<div id="grid" style="display:grid"><div id="no" style="display:contents"><p id="cell">Cell</p>bare</div></div>',
    );
    expect(ids(page)).toEqual(['grid', 'cell']);
    expect(page.nodes[byId(page, 'cell').parent]).toBe(byId(page, 'grid'));
    expect(holderOf(page, 'bare')).toBe(byId(page, 'grid'));
  });
});

test('what is not rendered => left out', async () => {
  const page =
    await snapshotOf(`<div id="none" style="display:none">a</div><div id="v" style="visibility:hidden">b
      <em id="back" style="visibility:visible">c</em></div><span id="empty"></span><div id="flat"><i></i></div>
    <details><summary>d</summary><p id="closed">e</p></details><div><div hidden="until-found" id="until">f</div></div>
    <div id="cv" style="content-visibility:hidden"><p id="cvp">g</p></div><template><p>h</p></template>
    <script>1</script><style>p::before { content: "pseudo" }</style><noscript>i</noscript><!-- j -->
    <div id="out" style="position:absolute;left:-9999px">k</div><div id="float"><p style="float:left">l</p></div>`);
  expect(texts(page)).toEqual(['c', 'd', 'k', 'l']);
  expect(ids(page)).toEqual(['back', 'out', 'float']);
});

test('right-to-left and Chinese text => kept, at its side', async () => {
  const page = await snapshotOf(
    '<body style="margin:0"><p id="rtl" dir="rtl">שלום עולם</p><p id="cjk">東京の天気　晴れ</p>',
  );
  expect(texts(page)).toEqual(['שלום עולם', '東京の天気 晴れ']);
  const text = page.nodes.find((node) => node.kind === 'text');
  expect(text && text.box[0] + text.box[2]).toBe(1280);
});

test('values typed or preset in fields => never in the snapshot; labels of buttons are', async () => {
  const view1 =
    await view(`<form action="/go"><input type="password" value="s3cret"><input name="q" value="t0ken" placeholder="Search">
    <textarea>dr4ft</textarea><select><option>ch0ice</select><input type="submit" value="Go"><input type="hidden" value="h1dden">
    </form><script>document.forms[0].q.value = 'typ3d'</script>`);
  if (view1.snapshot.kind !== 'taken') throw new Error('no snapshot');
  expect(view1.snapshot.packed).not.toMatch(/s3cret|t0ken|dr4ft|ch0ice|h1dden|typ3d/);
  const page = opened(view1);
  expect(tags(page)).toEqual(['body', 'form', 'input', 'input', 'textarea', 'select', 'input']);
  expect(
    page.nodes.find((node) => node.kind === 'element' && node.attributes.type === 'submit'),
  ).toMatchObject({
    attributes: { type: 'submit', value: 'Go' },
  });
  expect(page.nodes[1]).toMatchObject({ attributes: { action: 'http://page.test/go' } });
});

test('a form whose fields are named like properties => read all the same', async () => {
  const names = [
    'localName',
    'nodeType',
    'firstChild',
    'nextSibling',
    'attributes',
    'shadowRoot',
    'getAttribute',
    'children',
  ];
  const page = await snapshotOf(
    `<form id="f" action="/a"><b>In</b>${names
      .map((name) => `<input name="${name}">`)
      .join('')}<input name="action"></form><p>After</p>`,
  );
  expect(byId(page, 'f')).toMatchObject({ tag: 'form', attributes: { action: 'http://page.test/a' } });
  expect(texts(page)).toEqual(['In', 'After']);
});

test('pictures: data URLs => short and by content; srcset => the one shown; words in SVG => texts', async () => {
  const gif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const page =
    await snapshotOf(`<img id="a" src="${gif}" alt="dot" width="9" height="9"><img id="b" src="${gif}" width="5" height="5">
    <img id="c" src="small.png" srcset="large.png 1x" width="5" height="5">
    <svg id="d" width="90" height="30"><path d="M0 0h9v9z"/><text y="20">Word</text></svg>`);
  const source = byId(page, 'a').attributes.src;
  expect(source).toMatch(/^data:[0-9a-f]{32}$/);
  expect(byId(page, 'b').attributes.src).toBe(source);
  expect(byId(page, 'a').attributes.alt).toBe('dot');
  expect(byId(page, 'c').attributes.src).toBe('http://page.test/folder/large.png');
  expect(holderOf(page, 'Word')).toBe(byId(page, 'd'));
  expect(tags(page)).not.toContain('path');
});

test('content that comes with scrolling => is there', async () => {
  const page = await snapshotOf(`<div style="height:2500px">Top</div><div id="end"></div><script>
    new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) document.getElementById('end').textContent = 'Late'; })
      .observe(document.getElementById('end'));</script>`);
  expect(texts(page)).toEqual(['Top', 'Late']);
});

test('animations => at their end, endless ones at their beginning; twice the same', async () => {
  const html = `<style>@keyframes go { from { transform: none } to { transform: translateX(500px) } }
    div { width: 50px; margin: 0 } #once { animation: go 60s forwards } #always { animation: go 1s infinite }</style>
    <body style="margin:0"><div id="once">1</div><div id="always">2</div><marquee>3</marquee>`;
  const first = await snapshotOf(html);
  expect(byId(first, 'once').box[0]).toBe(500);
  expect(byId(first, 'always').box[0]).toBe(0);
  expect(await snapshotOf(html)).toEqual(first);
});

test('a page that never becomes idle => a snapshot all the same', async () => {
  const page = await snapshotOf(
    `<p id="p">0</p><script>setInterval(() => { p.textContent = Number(p.textContent) + 1;
    fetch('/more?' + Math.random()).catch(() => {}); }, 5)</script>`,
    { timeLimit: 8000 },
  );
  expect(ids(page)).toEqual(['p']);
});
