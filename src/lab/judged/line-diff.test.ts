import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';
import { readableLines } from './readable-lines.ts';

const marks = (old: string[], now: string[]): string[] =>
  lineDiff(old, now).told.map(({ mark, text }) => `${mark} ${text}`);

test('a line that went and one that came', () => {
  expect(marks(['# one', 'two'], ['# one', 'three'])).toEqual(['- two', '+ three']);
});

test('half of the words in common, in the same place => reworded', () => {
  expect(marks(['12 comments so far'], ['13 comments so far'])).toEqual([
    '* 12 comments so far ⇒ 13 comments so far',
  ]);
});

test('the last heading comes first => one heading moved, not three', () => {
  expect(marks(['# a', '# b', '# c'], ['# c', '# a', '# b'])).toEqual(['~ # c (stood at 67 %)']);
});

test('what came before the others does not move them', () => {
  expect(marks(['# a', '# b'], ['# new', '# a', '# b'])).toEqual(['+ # new']);
});

test('a line less often than before => gone', () => {
  expect(marks(['ad', 'ad'], ['ad'])).toEqual(['- ad']);
});

test('headings, links, pictures and texts by their marks; scripts and hidden parts are not read', () => {
  const html = `<head><title>no</title></head><body><h1>Lead <b>story</b></h1><p>First<br>line</p>
    <script>var no = 1;</script><a href="/x">More</a><img src="p.png" alt="A  ship"><div hidden>no</div>
    <div style="display: none"><p>no</p></div><ul><li>an entry</li></ul>`;
  expect(readableLines(html)).toEqual(['# Lead story', 'First', 'line', '> More', '! A ship', 'an entry']);
});
