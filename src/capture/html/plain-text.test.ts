import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

it.each([
  ['<title>A &amp; B</title><p>one <b>t</b>wo<p>three', 'A & B\none two\nthree'],
  ['<script>var x</script><style>p{}</style><p>seen<!-- not --></p>', 'seen'],
  ['<template><p>hidden</p></template>shown', 'shown'],
  ['<td>a</td><td>b</td>', 'a\nb'],
  ['', ''],
])('%j => %j', (html, text) => expect(plainText(html)).toBe(text));
