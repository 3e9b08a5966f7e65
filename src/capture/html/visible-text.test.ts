import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

const page = (more: string): string =>
  `<!doctype html><title>T</title><p class="a">Hello <a href="/x">there</a></p>${more}`;

test.each([
  ['a nonce', page('<script nonce="1">a()</script>'), page('<script nonce="2">b()</script>')],
  ['a token in a hidden field', page('<input type=hidden value=1>'), page('<input type="hidden" value="2">')],
  ['a comment', page('<!-- built at 10:01 -->'), page('<!-- built at 10:02 -->')],
  ['a csrf meta', page('<meta name=csrf content=1>'), page('<meta name=csrf content=2>')],
  ['white space', page('a  b\n\nc'), page('a b c')],
  ['a data attribute', page('<div data-t="1">x</div>'), page('<div data-t="2">x</div>')],
  ['character references', page('&eacute;'), page('é')],
])('%s differs => the same to a reader', (_, a, b) => {
  expect(visibleText(a)).toBe(visibleText(b));
});

test.each([
  ['a word', page('one'), page('two')],
  ['where a link leads', page('<a href=/1>x</a>'), page('<a href=/2>x</a>')],
  ['a picture', page('<img src=/1.png>'), page('<img src=/2.png>')],
  ['a class', page('<p class=hidden>x'), page('<p>x')],
  ['a field', page('<input value=1>'), page('<input value=2>')],
  ['a style', page('<style>p{color:red}</style>'), page('<style>p{color:blue}</style>')],
  ['structure', page('<b>x</b>y'), page('<b>xy</b>')],
])('%s differs => not the same', (_, a, b) => {
  expect(visibleText(a)).not.toBe(visibleText(b));
});
