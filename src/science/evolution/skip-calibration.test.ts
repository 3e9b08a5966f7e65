import { expect, test } from 'vitest';
import type { SeenPage } from '../../model/pattern.ts';
import { calibrate, type MadeSkip } from './skip-calibration.ts';

const url = (path: string): string => `https://example.org${path}`;

/** What was seen of a page at 10, 20, 30, …; `.` not visited, `-` gone. */
const seen = (path: string, course: string): SeenPage => ({
  url: url(path),
  sightings: course
    .split(' ')
    .flatMap((sign, i) =>
      sign === '.'
        ? []
        : [{ at: 10 * (i + 1), state: sign === '-' ? 'gone' : 'there', sha256: sign } as const],
    ),
});
const skip = (at: number, ...paths: string[]): MadeSkip => ({
  at,
  directory: '/d/',
  reason: 'quiet',
  expectedMissed: 0.4,
  confidence: 0.75,
  urls: paths.map(url),
});

test('skipped at 20 and 30, visited at 40 => one skip, with what it found since 10', () => {
  const pages = [seen('/d/a', 'x . . y'), seen('/d/b', 'x . . x'), seen('/d/c', 'x . . -')];
  const found = calibrate([skip(20, '/d/a', '/d/b', '/d/c'), skip(30, '/d/a', '/d/b', '/d/c')], pages);
  const row = { skips: 1, pages: 3, promised: 0.4, found: 2, promisedWrong: 0.25, wrong: 1 };
  expect(found).toEqual({ ...row, unchecked: 0, reasons: { quiet: row } });
});

test('not visited since => nothing to tell yet', () => {
  expect(calibrate([skip(20, '/d/a')], [seen('/d/a', 'x')])).toMatchObject({ skips: 0, unchecked: 1 });
});

test('a page that the visit meets for the first time was missed; one found while it was skipped was not', () => {
  const pages = [seen('/d/a', 'x . x'), seen('/d/late', '. . n'), seen('/d/linked', '. n n')];
  expect(calibrate([skip(20, '/d/a')], pages)).toMatchObject({ skips: 1, found: 1 });
});

test('no skip => zeros', () => {
  expect(calibrate([], [seen('/d/a', 'x y')])).toMatchObject({ skips: 0, promised: 0, unchecked: 0 });
});
