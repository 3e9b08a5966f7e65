import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawPage, paragraph } from '../../../test/drawn-page.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { printed } from '../experiment/text-table.ts';
import { brokenChecks, PAIR_CHECKS } from './check-pair.ts';
import { deltas } from './deltas.ts';
import { quantile, spreadOf } from './spread.ts';
import { type ShownVersion, studyDeltas } from './study.ts';
import { versionTime } from './version-time.ts';

const HEIGHT = 200;

/** A page of paragraphs, each its own block. */
const page = (...texts: readonly string[]): PageSnapshot =>
  drawPage({
    box: [0, 0, 1280, HEIGHT * texts.length],
    children: texts.map((text, i) => paragraph(text, 0, HEIGHT * i, 1280, HEIGHT - 60)),
  });

const shown = (
  name: string,
  version: string,
  snapshot: PageSnapshot,
  again?: PageSnapshot,
): ShownVersion => ({
  page: name,
  version,
  url: `https://${name}.example/`,
  snapshot,
  scripts: true,
  ...(again ? { again } : {}),
});

const MONDAY = page('The council met on Monday', 'Rain is expected', 'Imprint and contact');
const TUESDAY = page('The harbour opened its gates', 'Rain is expected', 'Imprint and contact');

async function text(set: readonly ShownVersion[]): Promise<string> {
  const outcome = await deltas.run({ set });
  return outcome.kind === 'measured' ? printed(outcome.text) : outcome.reason;
}

describe('studyDeltas', () => {
  test('versions A, A, B of one page => two pairs, the first of importance 0, every check held', async () => {
    const study = await studyDeltas([
      shown('a', '20260101T000000Z', MONDAY),
      shown('a', '20260102T000000Z', MONDAY),
      shown('a', '20260103T000000Z', TUESDAY),
    ]);
    const [one] = study.pages;
    expect(one?.pairs.map(({ importance }) => importance > 0)).toEqual([false, true]);
    expect(one?.pairs[1]).toMatchObject({ from: '20260102T000000Z', to: '20260103T000000Z' });
    expect(one?.pairs[1]?.time).toBe(Date.UTC(2026, 0, 3) / 1000);
    expect(one?.importance?.zeroShare).toBe(0.5);
    expect(one?.largest.map(({ to }) => to)).toEqual(['20260103T000000Z']);
    expect(one?.largest[0]?.told.join()).toContain('harbour');
    expect(study.broken).toEqual([]);
    expect(Object.values(study.held)).toEqual(Object.keys(PAIR_CHECKS).map(() => 2));
  });

  test('two pages in turn => pairs never cross pages', async () => {
    const study = await studyDeltas([
      shown('a', '1', MONDAY),
      shown('b', '1', TUESDAY),
      shown('a', '2', MONDAY),
      shown('b', '2', TUESDAY),
    ]);
    expect(study.pages.map(({ page: name, pairs }) => [name, pairs.map((pair) => pair.importance)])).toEqual([
      ['a', [0]],
      ['b', [0]],
    ]);
  });

  test('a second look that shows something else => unstable, with what it would count', async () => {
    const study = await studyDeltas([shown('a', '1', MONDAY, MONDAY), shown('a', '2', MONDAY, TUESDAY)]);
    const [one] = study.pages;
    expect(one?.shownTwice).toBe(2);
    expect(one?.unstable.map(({ version }) => version)).toEqual(['2']);
    expect(one?.unstable[0]?.importance).toBeGreaterThan(0);
  });

  test('a version that could not be shown => told, and its neighbours make a pair', async () => {
    const set: ShownVersion[] = [
      shown('a', '1', MONDAY),
      { page: 'a', version: '2', url: 'https://a.example/', reason: 'no snapshot: no-time' },
      shown('a', '3', MONDAY),
    ];
    const study = await studyDeltas(set);
    expect(study.unseen).toEqual([{ page: 'a', version: '2', reason: 'no snapshot: no-time' }]);
    expect(study.pages[0]?.pairs.map(({ from, to }) => [from, to])).toEqual([['1', '3']]);
    expect(await text(set)).toContain('a 2: not shown: no snapshot: no-time');
  });

  test('a version that is empty => told, no version of its own', async () => {
    const empty = drawPage({ box: [0, 0, 1280, 0] });
    const study = await studyDeltas([
      shown('a', '1', MONDAY),
      shown('a', '2', empty),
      shown('a', '3', TUESDAY),
    ]);
    expect(study.unseen).toEqual([{ page: 'a', version: '2', reason: 'it shows no text, link or picture' }]);
    expect(study.pages[0]?.pairs.map(({ from, to }) => [from, to])).toEqual([['1', '3']]);
  });

  test('no versions, or one => no pairs, and a table all the same', async () => {
    const none = await studyDeltas([]);
    expect(none).toMatchObject({ versions: 0, pairs: 0, pages: [] });
    const one = await studyDeltas([shown('a', '1', MONDAY)]);
    expect(one.pages[0]).toMatchObject({ versions: 1, pairs: [], largest: [] });
    expect(await text([])).toContain('0 versions of 0 pages, 0 successive pairs');
    expect(await text([shown('a', '1', MONDAY)])).toContain('1 versions of 1 pages, 0 successive pairs');
  });

  test('any two pages of paragraphs => every check holds', () => {
    const texts = fc.array(fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,5}$/), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const old = pageLayout(page(...before), { version: '1' }).layout;
        const now = pageLayout(page(...after), { version: '2' }).layout;
        expect(brokenChecks({ old, now, delta: diffLayouts(old, now) })).toEqual([]);
      }),
    );
  });
});

test('a delta of other layouts => the checks say so, and what was thrown', () => {
  const layout = (snapshot: PageSnapshot, version: string) => pageLayout(snapshot, { version }).layout;
  const [old, now] = [layout(MONDAY, '1'), layout(TUESDAY, '2')];
  const wrong = diffLayouts(old, layout(MONDAY, '2'));
  const backwards = diffLayouts(now, old);
  expect(brokenChecks({ old, now, delta: wrong }).map(({ check }) => check)).toContain(
    'apply(delta, old) = new',
  );
  expect(brokenChecks({ old, now, delta: backwards })[0]?.reason).toContain('does not fit');
});

describe('spreadOf', () => {
  test('0, 0, 1, 2, 5 => quartiles 0 and 2, median 1, two fifths zero', () => {
    expect(spreadOf([5, 0, 2, 0, 1])).toEqual({
      count: 5,
      minimum: 0,
      lowerQuartile: 0,
      median: 1,
      upperQuartile: 2,
      maximum: 5,
      zeroShare: 0.4,
    });
  });

  test('1, 2 => median 1.5; nothing => undefined', () => {
    expect(quantile([1, 2], 0.5)).toBe(1.5);
    expect(spreadOf([])).toBeUndefined();
  });
});

test('version names => seconds, or undefined where they are no time', () => {
  expect(versionTime('20220128T213510Z')).toBe(1643405710);
  expect(versionTime('20220128213510')).toBe(1643405710);
  expect(versionTime('20221328T213510Z')).toBeUndefined();
  expect(versionTime('second')).toBeUndefined();
});
