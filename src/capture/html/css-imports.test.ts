import { expect, test } from 'vitest';
import { cssImports } from './css-imports.ts';

test.each<[string, string[]]>([
  ['@import "a.css"; @import url(b.css) print; p{}', ['a.css', 'b.css?']],
  ["@import'a.css' screen and (max-width: 9px);", ['a.css?']],
  ['@import url("a.css") layer(base) supports(display: grid) all;', ['a.css']],
  ['@import url( "a.css" ) layer print', ['a.css?']],
  ['/* @import "no.css"; */ @import/**/"a.css";', []],
  ['/* @import "no.css"; */ @import "a.css" /* for all */;', ['a.css']],
  ['@media x {@import url("a.css");}', ['a.css']],
  ['@import ;@import url();', []],
  ['@import "never closed', []],
])('%s => %j', (css, expected) => {
  expect(cssImports(css).map(({ url, isForSome }) => (isForSome ? `${url}?` : url))).toEqual(expected);
});
