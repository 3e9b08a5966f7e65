import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractCssUrls } from './css-urls.ts';
import { extractLinks } from './links.ts';
import { parseSrcset } from './srcset.ts';

const BASE = 'https://example.org/news/index.html';
const links = (html: string): string[] => extractLinks(html, BASE).links;
const resources = (html: string): string[] => extractLinks(html, BASE).resources;
const short = (urls: string[]): string[] => urls.map((url) => url.replace('https://example.org/', '/'));

describe('links', () => {
  test.each<[html: string, links: string[]]>([
    ['<a href="a.html">', ['/news/a.html']],
    ['<A HREF=/b>', ['/b']],
    ["<area href='../c?x=1&amp;y=2#top'>", ['/c?x=1&y=2']],
    ['<a href="?a=1&copy=2&reg;=3">', ['/news/index.html?a=1&copy=2%C2%AE=3']],
    ['<a href="/&eacute;t&#233;&#xe9;">', ['/%C3%A9t%C3%A9%C3%A9']],
    ['<a href="#top"><a href="javascript:x()"><a href="mailto:a@b.c"><a>', []],
    ['<a href="/a"><a href="/a#x"><a href="https://example.org/a">', ['/a']],
    ['<iframe src="/f"></iframe><frame src="/g"><iframe data-src="/h"></iframe>', ['/f', '/g', '/h']],
    ['<link rel="next" href="/2"><link rel=prev href=/0>', ['/2', '/0']],
    ['<link rel="alternate" hreflang="de" href="/de/">', ['/de/']],
    ['<link rel="alternate" type="application/json+oembed" href="/o">', []],
    ['<meta http-equiv="Refresh" content="5; URL=\'/new\'">', ['/new']],
    ['<form action="/search" method="get">', []],
    ['<a title="a > b" href="/q">', ['/q']],
    ['<a\n\thref\n=\n"/ws"\n>', ['/ws']],
    ['<a href=/un/quoted/>', ['/un/quoted/']],
    ['<a href="/first" href="/second">', ['/first']],
    ['<!-- <a href="/no"> --><a href="/yes">', ['/yes']],
    ['<!--><a href="/after">', ['/after']],
    ['<script>"<a href=/no>"</script><a href=/yes>', ['/yes']],
    ['<SCRIPT>x</Script ><a href=/yes>', ['/yes']],
    ['<textarea><a href=/no></textarea><a href=/yes>', ['/yes']],
    ['<noscript><a href=/yes></noscript>', ['/yes']],
    ['<title>never closed <a href=/yes>', ['/yes']],
    ['1 < 2 <a href=/yes> 3 <', ['/yes']],
    ['<a href="/unclosed><b>text', ['/unclosed']],
    ['<a href=" /spaces ">', ['/spaces']],
    ['<a href="/a\nb">', ['/ab']],
    ['<svg><a xlink:href="/svg"></a></svg>', ['/svg']],
    ['<a href="/nul\0x">', ['/nul%00x']],
    ['<ä href=/no><a href=/ü>', ['/%C3%BC']],
    ['', []],
  ])('%j => %j', (html, expected) => {
    expect(short(links(html))).toEqual(expected);
  });

  test('<base href> counts for the whole page, the first one, relative too', () => {
    const html = '<a href="x"><base href="/deep/er/"><base href="/no/"><a href="y"><img src="z.png">';
    const page = extractLinks(html, BASE);
    expect(short(page.links)).toEqual(['/deep/er/x', '/deep/er/y']);
    expect(short(page.resources)).toEqual(['/deep/er/z.png']);
  });
});

describe('resources', () => {
  test.each<[html: string, resources: string[]]>([
    ['<img src="a.png" srcset="b.png 1x, c,d.png 2x">', ['/news/b.png', '/news/c,d.png', '/news/a.png']],
    ['<picture><source srcset="/s.webp"></picture>', ['/s.webp']],
    ['<video src=/v poster=/p><track src=/t></video><audio src=/a>', ['/p', '/v', '/t', '/a']],
    ['<script src="/x.js"></script>', ['/x.js']],
    ['<link rel="stylesheet preload" href="/s.css">', ['/s.css']],
    [
      '<link rel="shortcut icon" href="/i"><link rel=manifest href=/m><link rel=apple-touch-icon href=/t>',
      ['/i', '/m', '/t'],
    ],
    ['<link rel=preload as=image imagesrcset="/1 1x, /2 2x">', ['/1', '/2']],
    ['<style>@import "i.css"; a{background:url( \'b.png\' )}</style>', ['/news/i.css', '/news/b.png']],
    ['<div style="background:url(&quot;/c.png&quot;)">', ['/c.png']],
    ['<svg><image xlink:href="/d.png"/><use href="/e.svg#x"/><use href="#f"/></svg>', ['/d.png', '/e.svg']],
    ['<object data="/o.swf"><embed src=/e></object>', ['/o.swf', '/e']],
    ['<input type=IMAGE src=/i><input src=/no>', ['/i']],
    ['<body background=/bg.gif><td background=/td.gif>', ['/bg.gif', '/td.gif']],
    ['<img data-src=/lazy data-srcset="/l2 2x" src="data:image/gif;base64,R0lGODlhAQ">', ['/lazy', '/l2']],
    ['<div data-bg="url(/bg.jpg)"><amp-img src=/amp>', ['/bg.jpg', '/amp']],
    ['<img src="/%7ea.png">', ['/%7ea.png']],
    ['<meta property="og:image" content="/og.jpg">', ['/og.jpg']],
  ])('%j => %j', (html, expected) => {
    expect(short(resources(html))).toEqual(expected);
  });
});

test('title, refresh, feed => title, and both as links', () => {
  const html = `<html><head><title> Caf&eacute; &amp;
    <b>Bar </title><link rel=canonical href="/c?a&amp;b">
    <meta http-equiv=refresh content="0;/r"><link rel=alternate type="application/rss+xml" href=feed.xml>
    <svg><title>icon</title></svg>`;
  expect(extractLinks(html, BASE)).toEqual({
    links: ['https://example.org/r', 'https://example.org/news/feed.xml'],
    resources: [],
    title: 'Café & <b>Bar',
  });
});

test.each<[string, string[]]>([
  ['a.png, b.png 2x', ['a.png', 'b.png']],
  ['data:image/png;base64,AA== 1x, b.png 2x', ['data:image/png;base64,AA==', 'b.png']],
  ['a.png 100w (x, y), b.png', ['a.png', 'b.png']],
  [' ,, a.png,', ['a.png']],
  ['', []],
])('srcset %j => %j', (srcset, urls) => {
  expect(parseSrcset(srcset)).toEqual(urls);
});

test.each<[string, string[]]>([
  ['a{b:URL(x.png)}/* url(no.png) */@import url("y.css") screen;', ['/css/x.png', '/css/y.css']],
  [
    "@import'z.css';@font-face{src:url('f.woff2#iefix') format('woff2'),url(f.woff2)}",
    ['/css/z.css', '/css/f.woff2'],
  ],
  ['a{b:url(a\\20 b.png)} c{d:url("e\\"f.png")}', ['/css/a%20b.png', '/css/e%22f.png']],
  ['a{b:url(data:image/png;base64,AA)} c{d:url(#g)} e{f:url()}', []],
  ['a{b:url(never', []],
  ['/* never closed url(x)', []],
])('css %j => %j', (css, urls) => {
  expect(short(extractCssUrls(css, 'https://example.org/css/main.css'))).toEqual(urls);
});

describe('garbage', () => {
  const MB = 1_000_000;
  // A quadratic step would take hours on 10 MB: the test is that these finish at all.
  test.each<[string, string]>([
    ['<', '<'],
    ['<a', '<a'],
    ['<a href="', '<a href="'],
    ["<a href='", "<a href='"],
    ['<!--', '<!--'],
    ['<!-', '<!-'],
    ['<a b=', '<a b='],
    ['</', '</'],
    ['<title>', '<title>'],
    ['<textarea>', '<textarea>'],
    ['<style>url(', '<style>url('],
    ['<a style="url(\'', '<a style="url(\''],
    ['<a href=&', '<a href=&'],
    ['&#x', '<a href="&#x'],
    ['NUL', '\0'],
    ['<img srcset=",', '<img srcset=", '],
    ['<script></scrip', '<script></scrip'],
  ])('10 MB of %j => ends', (_, piece) => {
    const html = piece.repeat(Math.ceil((10 * MB) / piece.length));
    expect(extractLinks(html, BASE).title).toBe('');
  });

  test('any text => no throw, and every URL is absolute', () => {
    const pieces = fc.array(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '</',
          '<!--',
          '-->',
          '"',
          "'",
          '=',
          ' ',
          '/',
          '&',
          ';',
          '#',
          'a',
          'href',
          'src',
          'style',
          'url(',
        ],
        ...[
          '<a href=',
          '<img src="',
          '<script>',
          '</script>',
          '<base href=',
          '<title>',
          '&amp',
          '\0',
          'http://',
          '://',
          'ü',
        ],
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(
        pieces.map((list) => list.join('')),
        (html) => {
          const page = extractLinks(html, BASE);
          for (const url of [...page.links, ...page.resources]) expect(url).toMatch(/^https?:\/\/[^#]+$/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
