import { describe, expect, test } from 'vitest';
import { linkWords, runningText } from './running-text.ts';

describe('running text', () => {
  test.each([
    ['<title>no</title><body><p>One <b>two</b>&amp;&eacute;<p>three', 'One two &é three'],
    ['<body>a<script>if (a<b) "no"</script>b<STYLE>no</STYLE>c<!-- no > no -->d', 'a b c d'],
    ['no body, <i>only</i> text', 'no body, only text'],
    ['<body>cut<script>never closed', 'cut'],
    ['<body><select><option>no</select>x<svg><text>no</text></svg>', 'x'],
    ['', ''],
  ])('%s => %s', (html, text) => {
    expect(runningText(html, 100)).toBe(text);
  });

  test('longer than asked for => its beginning', () => {
    expect(runningText(`<body>${'<p>mot '.repeat(100_000)}`, 11)).toBe('mot mot mot');
  });

  test('a hundred thousand unclosed scripts, tags and comments => read in one pass', () => {
    expect(runningText('<script>'.repeat(100_000), 10)).toBe('');
    expect(runningText('<!--'.repeat(100_000), 10)).toBe('');
    expect(runningText('<a '.repeat(100_000), 10)).toBe('');
  });
});

describe('words of a link', () => {
  const html =
    '<script>u = "https://a.org/x"</script><a class=c href="https://a.org/x">The <em>words</em>\n of it</a>' +
    '<a href=\'https://a.org/y?a=1&amp;b=2#part\'>&Eacute;t&eacute;</a><img src="https://a.org/z"><a href=/w>w</a>';
  test.each([
    ['https://a.org/y?a=1&b=2', 'Été'],
    ['https://a.org/z', undefined],
    ['https://a.org/w', undefined],
    ['https://a.org/', undefined],
  ])('%s => %s', (url, words) => {
    expect(linkWords(html, url)).toBe(words);
  });
  test('an address that stands elsewhere first => nothing is said', () => {
    expect(linkWords(html, 'https://a.org/x')).toBeUndefined();
    expect(linkWords(html.replace(/<script.*?<\/script>/, ''), 'https://a.org/x')).toBe('The words of it');
  });
});
