import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { anyPair } from '../../../test/any-layout.ts';
import { image, layout, link, text } from '../../../test/small-layout.ts';
import type { Delta } from '../../model/delta.ts';
import type { Layout } from '../../model/layout.ts';
import { applyDelta, DeltaMismatch } from './apply-delta.ts';
import { diffLayouts } from './diff-layouts.ts';
import { inverseDelta, isIdentity } from './inverse-delta.ts';
import { parseViDelta, ViDeltaError } from './read-vi-delta.ts';
import { writeViDelta } from './vi-delta.ts';

const SCHEMA = readFileSync(new URL('../../../schemas/vi-delta.xsd', import.meta.url), 'utf8');

describe('signs: a picture that stands four times on a page, before and after', () => {
  const sign = image('', 'data:sign');
  const leaf = (name: string, ...images: (typeof sign)[]) => ({
    links: [link(`${name} a`), link(`${name} b`), link(`${name} c`)],
    images,
  });

  test.each([
    [
      'gone from one block, in another',
      [leaf('x', sign, sign), leaf('y', sign, sign), leaf('z')],
      [leaf('x', sign), leaf('y', sign, sign), leaf('z', sign)],
      0,
    ],
    [
      'gone with its block, in one that came',
      [leaf('x', sign), leaf('y', sign, sign, sign), leaf('z', sign)],
      [leaf('w', sign), leaf('x', sign), leaf('y', sign, sign, sign)],
      2,
    ],
    ['three only', [leaf('x', sign, sign), leaf('y', sign)], [leaf('x', sign), leaf('y', sign, sign)], 1],
  ])('%s => no move, and the delta still leads to the new layout', (_, before, after, count) => {
    const [old, now] = [layout(before), layout(after, 'v2')];
    const delta = diffLayouts(old, now);
    expect(delta.operations.filter(({ element }) => element !== 'link')).toHaveLength(count);
    expect(applyDelta(delta, old)).toStrictEqual(now);
    expect(applyDelta(inverseDelta(delta), now)).toStrictEqual(old);
    expect(parseViDelta(writeViDelta(delta))).toStrictEqual(delta);
  });
});

describe('any two layouts', () => {
  const holds = (property: (delta: Delta, old: Layout, now: Layout) => void): void => {
    fc.assert(
      fc.property(anyPair, ([old, now]) => {
        property(diffLayouts(old, now), old, now);
      }),
      { numRuns: 400 },
    );
  };

  test('old and delta => new, exactly', () => {
    holds((delta, old, now) => expect(applyDelta(delta, old)).toStrictEqual(now));
  });

  test('new and inverse delta => old, exactly; the inverse of the inverse is the delta', () => {
    holds((delta, old, now) => {
      expect(applyDelta(inverseDelta(delta), now)).toStrictEqual(old);
      expect(inverseDelta(inverseDelta(delta))).toStrictEqual(delta);
    });
  });

  test('a delta and its inverse => identity', () => {
    holds((delta, old) => {
      const back = applyDelta(inverseDelta(delta), applyDelta(delta, old));
      expect(isIdentity(diffLayouts(old, back))).toBe(true);
    });
  });

  test('a layout and itself => identity', () => {
    holds((_, old) => expect(isIdentity(diffLayouts(old, old))).toBe(true));
  });

  test('written as Vi-Delta and read => the same delta', () => {
    holds((delta) => {
      expect(parseViDelta(writeViDelta(delta))).toStrictEqual(delta);
      const back = inverseDelta(delta);
      expect(parseViDelta(writeViDelta(back))).toStrictEqual(back);
    });
  });
});

test('Vi-Delta of any two layouts => valid against schemas/vi-delta.xsd', async () => {
  const documents = fc.sample(anyPair, { numRuns: 60, seed: 5 }).flatMap(([old, now]) => {
    const delta = diffLayouts(old, now);
    return [writeViDelta(delta), writeViDelta(inverseDelta(delta))];
  });
  const xml = documents.map((contents, i) => ({ fileName: `${i}.xml`, contents }));
  const { valid, errors } = await validateXML({ xml, schema: [SCHEMA] });
  expect(errors.map((error) => error.message)).toEqual([]);
  expect(valid).toBe(true);
});

const OLD = layout([
  { links: [link('a'), link('b')], texts: [text('one two three')] },
  { images: [image('i'), image('j')] },
]);
const NEW = layout(
  [{ links: [link('b')], texts: [text('one two four')] }, { images: [image('i'), image('j'), image('k')] }],
  'v2',
);

test('the schema refuses a Vi-Delta without its Ledger', async () => {
  const contents = writeViDelta(diffLayouts(OLD, NEW)).replace(/<Ledger>.*<\/Ledger>/su, '');
  const { valid } = await validateXML({ xml: [{ fileName: 'a.xml', contents }], schema: [SCHEMA] });
  expect(valid).toBe(false);
});

test('a Vi-Delta groups by block, then by operation', () => {
  const lines = writeViDelta(diffLayouts(OLD, NEW)).split('\n').slice(1);
  expect(
    lines
      .slice(0, lines.indexOf('<Ledger>'))
      .map((line) => line.replace(/ (?:ID|oldID|newID)="[^"]*"/gu, '')),
  ).toEqual([
    '<Delta format="1" from="v1" to="v2">',
    '<Block ref="B1.1" importance="0.5" elements="2 0 1">',
    '<Delete>',
    '<link name="a" adr="https://a.example/a" at="0"/>',
    '</Delete>',
    '<Update>',
    '<txt old="one two three" new="one two four" from="0" at="0"/>',
    '</Update>',
    '</Block>',
    '<Block ref="B1.2" importance="0.5" elements="0 3 0">',
    '<Insert>',
    '<img name="k" src="https://a.example/k.png" at="2"/>',
    '</Insert>',
    '</Block>',
  ]);
});

describe('a delta that does not fit', () => {
  const delta = diffLayouts(OLD, NEW);

  test('another version => says which it starts from', () => {
    expect(() => applyDelta(delta, NEW)).toThrow('it starts from https://a.example/ at v1, not from');
  });

  test('the deleted link is another one => names the operation', () => {
    const other = layout([
      { links: [link('x'), link('b')], texts: [text('one two three')] },
      { images: [image('i'), image('j')] },
    ]);
    expect(() => applyDelta(delta, other)).toThrow(
      'operation 1 (delete link from B1.1): B1.1 has another link at index 0',
    );
  });

  test('a block is missing => names the operation', () => {
    const short = layout([{ importance: 1, texts: [text('x')] }]);
    const fault = (): Layout =>
      applyDelta(diffLayouts(OLD, layout([{ links: [link('b')] }, {}], 'v2')), short);
    expect(fault).toThrow(DeltaMismatch);
    expect(fault).toThrow(/operation 1 \(delete link from B1\.1\)/);
  });

  test('an index out of range, a block named twice, no parent => each named', () => {
    const [first] = delta.ledger.frames;
    const damaged = (ledger: Partial<Delta['ledger']>): Delta => ({
      ...delta,
      ledger: { ...delta.ledger, ...ledger },
    });
    expect(() => applyDelta(damaged({ frames: [...delta.ledger.frames, first as never] }), OLD)).toThrow(
      'frame of B1: it is named twice',
    );
    const orphan = { new: { ...(first?.new as object), ref: 'B9', parent: 'B8' } } as never;
    expect(() => applyDelta(damaged({ frames: [...delta.ledger.frames, orphan] }), OLD)).toThrow(
      'frame of B9: there is no parent B8',
    );
    const operations = delta.operations.map((one) =>
      one.op === 'insert' && one.element === 'image' ? { ...one, to: { block: 'B1.2', index: 7 } } : one,
    );
    expect(() => applyDelta({ ...delta, operations }, OLD)).toThrow(/insert image to B1\.2\): index 7/);
  });
});

describe('a file that is no Vi-Delta', () => {
  const good = writeViDelta(diffLayouts(OLD, NEW));

  test('names what is wrong and where', () => {
    expect(() => parseViDelta('<Document/>')).toThrow(new ViDeltaError("the root is 'Document'", 'Delta'));
    expect(() => parseViDelta(good.replace(/ at="0"/u, ''))).toThrow("Block B1.1: 'link' has no 'at'");
    expect(() => parseViDelta(good.replaceAll('Delete>', 'Remove>'))).toThrow("'Remove' is no operation");
    expect(() => parseViDelta(good.replace(/ at="0"/u, ' at="-1"'))).toThrow("'at' is no index");
    expect(() => parseViDelta(good.slice(0, 200))).toThrow(/line/);
  });
});
