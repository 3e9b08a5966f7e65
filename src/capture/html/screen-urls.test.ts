import { describe, expect, it } from 'vitest';
import { screenUrls } from './screen-urls.ts';

describe('what a style sheet names for some screens only', () => {
  const cases: readonly (readonly [title: string, css: string, urls: readonly string[]])[] = [
    ['a plain background', 'p { background: url(a.png) }', []],
    [
      'backgrounds in @media, nested in @supports and in a rule',
      `@media (max-width: 600px) { p { background: url(a.png) } q { background: url("b.png") } }
       @supports (display: grid) { @media print { p { background: url('c.png') } } }
       div { @container (width < 10em) { background: url(d.png) } } r { background: url(e.png) }`,
      ['a.png', 'b.png', 'c.png', 'd.png'],
    ],
    [
      'image-set: strings and url(), types are none',
      `p { background-image: -webkit-image-set(url(a.png) 1x, url("b.png") 2x);
        background-image: image-set("c.avif" type("image/avif"), 'd.png' 2x type('image/png')) }`,
      ['a.png', 'b.png', 'c.avif', 'd.png'],
    ],
    [
      'image-set inside of @media',
      '@media (min-width: 1px) { p { background: image-set("a.png" 1x) } }',
      ['a.png'],
    ],
    [
      'comments and strings that look like rules',
      '/* @media x { url(a.png) } */ p::after { content: "@media x { } image-set(" } q { background: url(b.png) }',
      [],
    ],
    ['braces in strings', '@media x { p::before { content: "}" } q { background: url(a.png) } }', ['a.png']],
    ['a block that is never closed', '@media x { p { background: url(a.png)', ['a.png']],
    ['@media without a block, at the end', 'p { color: red } @media screen', []],
    ['the same twice', '@media x { a { background: url(a.png) } b { background: url(a.png) } }', ['a.png']],
  ];
  it.each(cases)('%s', (_, css, urls) => {
    expect(screenUrls(css)).toEqual(urls);
  });

  it('100,000 openings without an end => read once, not over and over', () => {
    expect(screenUrls('@media x { image-set('.repeat(100_000))).toEqual([]);
    expect(screenUrls(`${'@media'.repeat(100_000)}`)).toEqual([]);
  });
});
