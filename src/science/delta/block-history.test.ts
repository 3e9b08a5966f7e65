import { describe, expect, it } from 'vitest';
import type { BlockCourse } from '../../model/change.ts';
import type { Block, Layout } from '../../model/layout.ts';
import { changeShares, sharesAfter, weighedByPast } from './block-history.ts';

const course = (more: Partial<BlockCourse>): BlockCourse => ({
  changed: [],
  renamed: [],
  came: [],
  went: [],
  ...more,
});

const VISITS = [0, 1, 2, 3, 4, 5];
const at = (visit: number, more: Partial<BlockCourse>) => ({ at: visit, course: course(more) });

describe('shares of visits at which a block had changed', () => {
  it('changed at every visit => 1; at one of five => 0.2; never => 0', () => {
    const share = changeShares({
      visits: VISITS,
      changes: [1, 2, 3, 4, 5].map((visit) =>
        at(visit, { changed: visit === 3 ? ['B1.1', 'B1.2'] : ['B1.1'] }),
      ),
    });
    expect([share('B1.1'), share('B1.2'), share('B1.3')]).toEqual([1, 0.2, 0]);
  });

  it('fewer than four visits after the first => not known', () => {
    expect(
      changeShares({ visits: [0, 1, 2, 3], changes: [at(1, { changed: ['B1'] })] })('B1'),
    ).toBeUndefined();
    expect(changeShares({ visits: [], changes: [] })('B1')).toBeUndefined();
  });

  it('a block inserted above => its neighbours are followed to their new refs', () => {
    const share = changeShares({
      visits: VISITS,
      changes: [
        at(1, { changed: ['B1.1'] }),
        at(2, {
          changed: ['B1.1', 'B1.2'],
          renamed: [
            ['B1.1', 'B1.2'],
            ['B1.2', 'B1.3'],
          ],
          came: ['B1.1'],
        }),
        at(3, { changed: ['B1.2'] }),
        at(4, { changed: ['B1.2'] }),
        at(5, { changed: ['B1.2'] }),
      ],
    });
    expect([share('B1.1'), share('B1.2'), share('B1.3')]).toEqual([undefined, 1, 0]);
  });

  it('a block that went, and another that came in its place => begins anew', () => {
    const share = changeShares({
      visits: [0, 1, 2, 3, 4, 5, 6],
      changes: [
        at(1, { changed: ['B1.1'] }),
        at(2, { changed: ['B1.1'], went: ['B1.1'], came: ['B1.1'] }),
        at(5, { changed: ['B1.1'] }),
      ],
    });
    expect(share('B1.1')).toBe(1 / 4);
  });

  it('the next version => shares by its refs; blocks that just came have none', () => {
    const share = sharesAfter(
      (ref) => ({ 'B1.1': 0.9, 'B1.2': 0.1 })[ref],
      course({
        renamed: [
          ['B1.1', 'B1.2'],
          ['B1.2', 'B1.3'],
        ],
        came: ['B1.1'],
      }),
    );
    expect([share('B1.1'), share('B1.2'), share('B1.3')]).toEqual([undefined, 0.9, 0.1]);
  });
});

const block = (ref: string, importance: number, blocks: readonly Block[] = []): Block => ({
  ref,
  id: ref,
  box: [0, 0, 1, 1],
  doc: 5,
  importance,
  links: [],
  images: [],
  texts: [],
  blocks,
});

const layout = (root: Block): Layout => ({
  url: 'https://example.org/',
  title: '',
  version: '',
  viewport: { width: 1, height: 1 },
  segmenter: 'test',
  root,
});

describe('importance by the past', () => {
  const page = layout(
    block('B1', 1, [block('B1.1', 0.5), block('B1.2', 0.5, [block('B1.2.1', 0.3), block('B1.2.2', 0.2)])]),
  );

  it('a block that changes at every visit => a tenth of its weight; leaves still add up to 1', () => {
    const { root } = weighedByPast(page, (ref) => (ref === 'B1.1' ? 1 : 0));
    const [first, second] = root.blocks as [Block, Block];
    expect(first.importance).toBeCloseTo(0.05 / 0.55, 12);
    expect(second.blocks.map(({ importance }) => importance)).toEqual([0.3 / 0.55, 0.2 / 0.55]);
    expect(second.importance).toBeCloseTo(0.5 / 0.55, 12);
    expect(root.importance).toBeCloseTo(1, 12);
  });

  it('no past, or a calm one => the very same layout', () => {
    expect(weighedByPast(page, () => undefined)).toBe(page);
    expect(weighedByPast(page, () => 0)).toBe(page);
  });

  it('one leaf that always changes => keeps all of it', () => {
    expect(weighedByPast(layout(block('B1', 1)), () => 1).root.importance).toBe(1);
  });
});
