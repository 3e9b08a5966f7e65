import { expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph } from '../../../../test/drawn-page.ts';
import { joinsOf, runsOf } from './joins.ts';
import { preparePage } from './prepared-page.ts';

/** Lengths of the runs that the page's own parts are joined into. */
function runs(...children: Drawn[]): number[] {
  const page = preparePage(drawPage({ box: [0, 0, 1000, 2000], children }));
  const split = new Uint8Array(page.tree.parts.length);
  split[0] = 1;
  return runsOf(page.tree.parts, joinsOf(page, split), 0).map((run) => run.length);
}

const line = (y: number): Drawn => paragraph('a line of text', 0, y, 400, 20);
const large = paragraph('a large text', 0, 1000, 1000, 1000);

test('small lines closer than a font size => one run', () => {
  expect(runs(line(0), line(30), line(60), large)).toEqual([3, 1]);
});

test('a gap of a font size or more => apart', () => {
  expect(runs(line(0), line(30), line(66), large)).toEqual([2, 1, 1]);
});

test('a box of its own => apart', () => {
  expect(runs(line(0), { ...line(20), style: { background: '#eeeeee' } }, line(40), large)).toEqual([
    1, 1, 1, 1,
  ]);
});

test('large neighbours => apart, however close', () => {
  expect(runs(paragraph('a', 0, 0, 1000, 1000), paragraph('b', 0, 1000, 1000, 1000))).toEqual([1, 1]);
});
