import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1+1', "'+1+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ["'Tis the season", "'Tis the season"],
  ['a=1', 'a=1'],
  ['say "x", y', '"say ""x"", y"'],
  [-5, '-5'],
  [-0.5e-7, '-5e-8'],
  [undefined, ''],
  [['=1'], '"[""=1""]"'],
])('%j => %s', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});
