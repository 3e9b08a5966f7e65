import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packSnapshot } from '../../test/pack-snapshot.ts';
import type { PageSnapshot, SnapshotNode, SnapshotStyle } from './page-snapshot.ts';
import { unpackSnapshot, whyCut } from './snapshot-codec.ts';

const name = fc.string({ minLength: 1, maxLength: 12, unit: 'binary' });
const pixels = fc.integer({ min: -99_999, max: 999_999 }).map((tenths) => tenths / 10);
const box = fc.tuple(pixels, pixels, pixels, pixels);

const style: fc.Arbitrary<SnapshotStyle> = fc.record({
  display: fc.constantFrom('block', 'inline', 'table-cell'),
  position: fc.constantFrom('static', 'fixed', 'sticky'),
  float: fc.constantFrom('none', 'left', 'right'),
  background: fc.constantFrom('#ffffff', '#102030'),
  paints: fc.boolean(),
  backgroundImage: fc.boolean(),
  color: fc.constant('#000000'),
  fontSize: fc.integer({ min: 1, max: 900 }).map((tenths) => tenths / 10),
  fontWeight: fc.constantFrom(100, 400, 700),
  fontFamily: fc.string(),
  borders: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
});

/** A node before its parent is known: `above` is taken modulo the nodes before it. */
const node = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ kind: fc.constant('text' as const), box, text: name }),
    fc.record({
      kind: fc.constant('element' as const),
      box,
      tag: fc.constantFrom('div', 'p', 'x-card'),
      style: fc.nat(5),
      attributes: fc.dictionary(fc.constantFrom('id', 'class', 'href', 'data-block'), fc.string(), {
        noNullPrototype: true,
      }),
    }),
  ),
);

const snapshot: fc.Arbitrary<PageSnapshot> = fc.record({
  format: fc.constant(1 as const),
  url: fc.webUrl(),
  title: fc.string({ unit: 'binary' }),
  language: fc.constantFrom('', 'en', 'zh-Hant'),
  viewport: fc.record({ width: fc.nat(), height: fc.nat() }),
  page: fc.record({ width: fc.nat(), height: fc.nat() }),
  styles: fc.array(style, { maxLength: 6 }),
  nodes: fc
    .array(node, { maxLength: 40 })
    .map((drawn) =>
      drawn.map(([above, rest], at): SnapshotNode => ({ ...rest, parent: at === 0 ? -1 : above % at })),
    ),
  facts: fc.array(fc.string(), { maxLength: 3 }),
});

test('any snapshot, packed and unpacked => the same', () => {
  fc.assert(
    fc.property(snapshot, (given) => {
      expect(unpackSnapshot(packSnapshot(given))).toEqual(given);
    }),
  );
});

test('a snapshot without nodes => the same', () => {
  const [given] = fc.sample(snapshot, { numRuns: 1, seed: 1 });
  const empty = { ...(given as PageSnapshot), nodes: [], styles: [] };
  expect(unpackSnapshot(packSnapshot(empty))).toEqual(empty);
});

test('JSON of another form => refused', () => {
  expect(() => unpackSnapshot('{"packed":2}')).toThrow('not a page snapshot');
  expect(() => unpackSnapshot('null')).toThrow('not a page snapshot');
});

test('cut at a limit => said; in snapshots from before there was a field for it, too', () => {
  const empty = {
    format: 1 as const,
    url: '',
    title: '',
    language: '',
    viewport: { width: 1, height: 1 },
    page: { width: 1, height: 1 },
    styles: [],
    nodes: [],
  };
  const why = 'nodes past the limit of 60000 are left out';
  expect(unpackSnapshot(packSnapshot({ ...empty, cut: why, facts: [] })).cut).toBe(why);
  expect(whyCut(packSnapshot({ ...empty, cut: 'a "quoted" limit', facts: [] }))).toBe('a "quoted" limit');
  expect(whyCut(packSnapshot({ ...empty, title: '"cut":"x"', facts: [] }))).toBeUndefined();
  expect(unpackSnapshot(packSnapshot({ ...empty, facts: ['foreign frame', why] })).cut).toBe(why);
  expect(unpackSnapshot(packSnapshot({ ...empty, facts: ['foreign frame'] }))).not.toHaveProperty('cut');
});
