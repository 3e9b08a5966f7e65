import { describe, expect, it } from 'vitest';
import type { Block, Layout, LinkElement, TextElement } from '../../model/layout.ts';
import { changeImportance } from './change-importance.ts';
import { changeOf, courseOf } from './change-of.ts';
import { diffLayouts } from './diff-layouts.ts';
import { parseViDelta } from './read-vi-delta.ts';
import { writeViDelta } from './vi-delta.ts';

const text = (words: string): TextElement => ({ id: `t ${words}`, text: words });
const link = (name: string, more: Partial<LinkElement> = {}): LinkElement => ({
  id: `l ${name}`,
  name,
  address: `https://example.org/${name}`,
  ...more,
});

const leaf = (ref: string, y: number, content: Partial<Block>): Block => {
  const block = { links: [], images: [], texts: [], ...content };
  const id = [...block.links, ...block.images, ...block.texts].map((one) => one.id).join('|');
  return { ref, id, box: [0, y, 500, 100], doc: 9, importance: 0.5, blocks: [], ...block };
};

const layout = (version: string, ...blocks: Block[]): Layout => ({
  url: 'https://example.org/',
  title: 'The Daily',
  version,
  viewport: { width: 1280, height: 1024 },
  segmenter: 'test/1',
  root: {
    ref: 'B1',
    id: blocks.map(({ id }) => id).join('/'),
    box: [0, 0, 500, 1000],
    doc: 5,
    importance: 1,
    links: [],
    images: [],
    texts: [],
    blocks,
  },
});

const MONDAY = '2026-03-02T08:00:00.000Z';
const TUESDAY = '2026-03-03T08:00:00.000Z';
const STORY = 'It rained all day and nobody went out to the harbour';

const old = layout(
  MONDAY,
  leaf('B1.1', 0, { texts: [text(STORY)], links: [link('ferry')] }),
  leaf('B1.2', 200, { texts: [text('All rights reserved by the paper and its owners')] }),
);

describe('what a catalog keeps of a delta', () => {
  const now = layout(
    TUESDAY,
    leaf('B1.1', 0, {
      texts: [text(`${STORY} today`)],
      links: [link('ferry'), link('vote', { advertisement: true })],
    }),
    leaf('B1.2', 200, { texts: [text('All rights reserved by the paper and its owners')] }),
  );
  const delta = diffLayouts(old, now);
  const change = changeOf(delta);

  it('page, times, importance => those of the delta', () => {
    expect(change).toMatchObject({
      url: 'https://example.org/',
      from: Date.parse(MONDAY),
      to: Date.parse(TUESDAY),
      importance: changeImportance(delta).importance,
    });
  });

  it('operations => texts, addresses, advertisements; heaviest first; shares add up', () => {
    expect(change.operations).toContainEqual(
      expect.objectContaining({
        op: 'update',
        element: 'text',
        block: 'B1.1',
        old: STORY,
        new: `${STORY} today`,
      }),
    );
    expect(change.operations).toContainEqual(
      expect.objectContaining({
        op: 'insert',
        new: 'vote',
        newAddress: 'https://example.org/vote',
        advertisement: true,
      }),
    );
    const weights = change.operations.map(({ weight }) => weight);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(change.importance, 12);
  });

  it('the delta written and read back => the very same change', () => {
    expect(changeOf(parseViDelta(writeViDelta(delta)))).toEqual(change);
  });

  it('a block that came with advertisements and their label alone => an advertisement; with a story beside them => none', () => {
    const came = (content: Partial<Block>) =>
      changeOf(
        diffLayouts(old, layout(TUESDAY, ...old.root.blocks, leaf('B1.3', 400, content))),
      ).operations.find(({ op, element }) => op === 'insert' && element === 'block');
    const ads = [link('sale', { advertisement: true }), link('loans', { advertisement: true })];
    expect(came({ links: ads, texts: [text('Advertisement')] })).toMatchObject({ advertisement: true });
    expect(came({ links: [...ads, link('vote')] })).not.toHaveProperty('advertisement');
    expect(came({ links: ads, texts: [text(STORY)] })).not.toHaveProperty('advertisement');
    expect(came({ texts: [text('Advertisement')] })).not.toHaveProperty('advertisement');
  });

  it('a long text => cut', () => {
    const long = layout(
      TUESDAY,
      leaf('B1.1', 0, { texts: [text('word '.repeat(1000))] }),
      old.root.blocks[1] as Block,
    );
    for (const { old: before, new: after } of changeOf(diffLayouts(old, long)).operations) {
      expect((before ?? '').length).toBeLessThanOrEqual(1000);
      expect((after ?? '').length).toBeLessThanOrEqual(1000);
    }
  });

  it('a version that is no time => RangeError', () => {
    expect(() => changeOf(diffLayouts({ ...old, version: 'old.html' }, now))).toThrow(
      "'old.html' is no time",
    );
  });
});

describe('the course of blocks', () => {
  it('a block that came above => itself came, the others are renamed', () => {
    const fresh = leaf('B1.1', 0, { texts: [text('Breaking: the bridge is closed until further notice')] });
    const [first, second] = old.root.blocks as [Block, Block];
    const now = layout(
      TUESDAY,
      fresh,
      { ...first, ref: 'B1.2', box: [0, 200, 500, 100] },
      { ...second, ref: 'B1.3', box: [0, 400, 500, 100] },
    );
    const course = courseOf(diffLayouts(old, now));
    expect(course).toEqual({
      changed: ['B1.1'],
      renamed: expect.arrayContaining([
        ['B1.1', 'B1.2'],
        ['B1.2', 'B1.3'],
      ]),
      came: ['B1.1'],
      went: [],
    });
  });

  it('equal layouts => nothing', () => {
    const course = courseOf(diffLayouts(old, { ...old, version: TUESDAY }));
    expect(course).toEqual({ changed: [], renamed: [], came: [], went: [] });
  });
});
