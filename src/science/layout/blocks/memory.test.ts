import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph, text } from '../../../../test/drawn-page.ts';
import type { Layout } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { pageLayout } from '../page-layout.ts';
import { leavesIn } from '../segment-leaves.ts';
import { parseViXml, writeViXml } from '../vi-xml.ts';
import { alignParts, type SizedPart } from './align-parts.ts';
import { decide, MARGIN } from './decide.ts';
import { blocks, MODELS } from './index.ts';
import { DIVISIBLE, recollect, remember } from './memory.ts';
import { preparePage } from './prepared-page.ts';

const layoutOf = (page: PageSnapshot, previous?: Layout): Layout =>
  pageLayout(page, { version: '1', previous }).layout;

const leafTexts = ({ root }: Layout): string[][] =>
  leavesIn(root, (block) => block.blocks).map((leaf) =>
    [...leaf.texts.map((one) => one.text), ...leaf.links.map(({ name }) => name)].sort(),
  );

interface Story {
  readonly title: string;
  readonly height: number;
  readonly body: string;
}

/** A header, stories one below the other, a footer. */
function newsPage(stories: readonly Story[], className = 'story'): PageSnapshot {
  let y = 100;
  const drawn = stories.map(({ title, height, body }): Drawn => {
    const top = y;
    y += height + 30;
    return {
      box: [0, top, 1280, height],
      attributes: { class: className },
      style: { borders: [true, false, false, false] },
      children: [
        {
          tag: 'h2',
          box: [0, top, 1280, 40],
          style: { fontSize: 30 },
          children: [text(title, 0, top, 600, 40)],
        },
        paragraph(body, 0, top + 60, 1280, height - 60),
      ],
    };
  });
  return drawPage({
    box: [0, 0, 1280, y + 60],
    children: [
      { tag: 'header', box: [0, 0, 1280, 80], children: [text('The Paper', 0, 0, 300, 80)] },
      { box: [0, 100, 1280, y - 100], attributes: { id: 'news' }, children: drawn },
      { tag: 'footer', box: [0, y, 1280, 60], children: [text('Imprint', 0, y, 300, 60)] },
    ],
  });
}

const stories: fc.Arbitrary<Story[]> = fc
  .array(fc.integer({ min: 100, max: 900 }), { minLength: 2, maxLength: 9 })
  .map((heights) =>
    heights.map((height, i) => ({ title: `Story ${i}`, height, body: `body ${i} `.repeat(height / 8) })),
  );

describe('a page with a last version', () => {
  test('its own layout before => the same cut, to the last bit of memory', () => {
    fc.assert(
      fc.property(stories, (all) => {
        const first = layoutOf(newsPage(all));
        const again = layoutOf(newsPage(all), first);
        expect(again).toEqual({ ...first, previous: first.root.id });
        expect(layoutOf(newsPage(all), again)).toEqual(again);
      }),
    );
  });

  test('a word changed, and its text a line longer or shorter => as many leaves', () => {
    fc.assert(
      fc.property(stories, fc.nat(), fc.integer({ min: -20, max: 20 }), (all, at, grown) => {
        const changed = all.map((story, i) =>
          i === at % all.length ? { ...story, title: 'Other', height: story.height + grown } : story,
        );
        const first = layoutOf(newsPage(all));
        expect(leafTexts(layoutOf(newsPage(changed), first))).toHaveLength(leafTexts(first).length);
      }),
    );
  });

  test('a story on top => all other leaves as they were', () => {
    fc.assert(
      fc.property(stories, fc.integer({ min: 100, max: 900 }), (all, height) => {
        const first = layoutOf(newsPage(all));
        const fresh: Story = { title: 'Fresh', height, body: 'fresh '.repeat(height / 8) };
        const now = leafTexts(layoutOf(newsPage([fresh, ...all]), first));
        const kept = now.flatMap((leaf) => {
          const old = leaf.filter((one) => !one.startsWith('Fresh') && !one.startsWith('fresh'));
          return old.length > 0 ? [old] : [];
        });
        expect(kept).toEqual(leafTexts(first));
      }),
    );
  });

  test('other markup throughout => the cut of a first version, which names its predecessor', () => {
    const page = (tag: string) =>
      drawPage({
        box: [0, 0, 1280, 1400],
        children: [0, 1, 2].map((i) => ({
          tag,
          box: [0, i * 460, 1280 - 100 * tag.length, 440 - 10 * tag.length] as const,
          attributes: { class: `${tag}-part` },
          children: [paragraph(`${tag} prose ${i} `.repeat(90), 0, i * 460, 1180, 400)],
        })),
      });
    const old = layoutOf(page('div'));
    const { previous, ...now } = layoutOf(page('section'), old);
    expect(previous).toBe(old.root.id);
    expect(now).toEqual(layoutOf(page('section')));
  });

  test('a layout of another segmenter before, or without memory => the cut of a first version', () => {
    const page = newsPage([{ title: 'a', height: 700, body: 'b'.repeat(900) }]);
    const first = layoutOf(page);
    expect(layoutOf(page, { ...first, segmenter: 'blocks/1' })).toEqual(first);
    const { memory: _, ...bare } = first;
    expect(layoutOf(page, bare)).toEqual({ ...first, previous: first.root.id });
    expect(layoutOf(page, { ...first, memory: 'no memory' })).toEqual({ ...first, previous: first.root.id });
  });

  test('three versions => each names the one before; Vi-XML reads back as it was', () => {
    const all = [300, 500, 700].map((height, i) => ({ title: `${i}`, height, body: 'x '.repeat(height) }));
    const first = layoutOf(newsPage(all.slice(0, 1)));
    const second = layoutOf(newsPage(all.slice(0, 2)), first);
    const third = layoutOf(newsPage(all), second);
    expect([first.previous, second.previous, third.previous]).toEqual([
      undefined,
      first.root.id,
      second.root.id,
    ]);
    expect(parseViXml(writeViXml(third))).toEqual(third);
  });

  test('a remembered cut that the models regret by more than the margin => cut anew; words alone => never', () => {
    const all = [900, 800, 900, 700].map((height, i) => ({
      title: `Story ${i}`,
      height,
      body: `body ${i} `.repeat(height),
    }));
    const page = preparePage(newsPage(all));
    const fresh = decide(page, MODELS, undefined);
    const memory = recollect(blocks.segment(newsPage(all)).memory as string) ?? [];
    const whole = memory.map((part) => ({ ...part, flags: DIVISIBLE, parts: [] }));
    const kept = decide(page, MODELS, whole).recalled;
    expect(kept?.split[0]).toBe(0);
    expect(kept?.sameParts).toBe(true);
    expect(kept?.regret).toBeGreaterThan(MARGIN);
    // An overlay has gone: more than words changed.
    const went = decide(page, MODELS, [...whole, ...whole]);
    expect(went.recalled).toBeUndefined();
    expect(went.decisions).toEqual(fresh.decisions);
  });

  test('a list that was split against the models: its words change => split; an entry comes => whole', () => {
    const list = (titles: readonly string[]): PageSnapshot =>
      drawPage({
        box: [0, 0, 1280, 900],
        children: [
          { tag: 'header', box: [0, 0, 1280, 80], children: [text('The Paper', 0, 0, 300, 80)] },
          {
            tag: 'ul',
            box: [0, 100, 1280, 20 * titles.length],
            children: titles.map((title, i) => ({
              tag: 'li',
              box: [0, 100 + 20 * i, 1280, 20] as const,
              children: [text(title, 0, 100 + 20 * i, 300, 20)],
            })),
          },
          {
            tag: 'main',
            box: [0, 400, 1280, 500],
            children: [paragraph('prose '.repeat(400), 0, 400, 1280, 500)],
          },
        ],
      });
    const titles = ['one', 'two', 'three', 'four'];
    const whole = preparePage(list(titles));
    const ul = whole.tree.parts.findIndex(({ children }) => children.length === titles.length);
    const fresh = decide(whole, MODELS, undefined);
    expect(fresh.odds.fine[ul]).toBeLessThan(-1);
    const forced = { ...fresh.decisions, split: fresh.decisions.split.with(ul, 1) };
    const memory = recollect(remember(whole.tree, forced)) ?? [];
    const splitNow = (now: readonly string[]): number | undefined =>
      decide(preparePage(list(now)), MODELS, memory).decisions.split[ul];
    expect(splitNow(titles)).toBe(1);
    expect(splitNow(titles.with(1, 'zwei'))).toBe(1);
    expect(splitNow(['new', ...titles])).toBe(0);
  });

  test('a text that is no memory => nothing', () => {
    for (const bad of ['', 'x', 'abcde000', 'abcdeabc01zz.zz)', 'abcdeabc01zz.zz('])
      expect(recollect(bad)).toBeUndefined();
  });
});

describe('alignParts', () => {
  const part = (key: string, anchor: string, height = 100): SizedPart => ({
    key,
    anchor,
    width: 300,
    height,
  });
  const places = (now: SizedPart[], before: SizedPart[]): number[] => [...alignParts(now, before)];
  const list = ['a', 'b', 'c', 'd'].map((anchor) => part('story', anchor));

  test('one came on top => the others are found behind it', () => {
    expect(places([part('story', 'n'), ...list], list)).toEqual([-1, 0, 1, 2, 3]);
  });

  test('one came on top and the last went => the same', () => {
    expect(places([part('story', 'n'), ...list.slice(0, 3)], list)).toEqual([-1, 0, 1, 2]);
  });

  test('one begins otherwise and is higher => in its place', () => {
    expect(places(list.with(1, part('story', 'x', 120)), list)).toEqual([0, 1, 2, 3]);
  });

  test('one has another name => known by what it begins with', () => {
    expect(places(list.with(1, part('lead', 'b', 120)), list)).toEqual([0, 1, 2, 3]);
  });

  test('lists too long to compare each with each => by order within a name', () => {
    const long = Array.from({ length: 600 }, (_, i) => part(`k${i % 2}`, `${i}`));
    expect(places(long, [part('k0', 'x'), ...long.slice(1)])).toEqual(long.map((_, i) => i));
    expect(
      places([part('new', 'n'), ...long.map((one) => ({ ...one, anchor: 'z' })), part('end', 'n')], long),
    ).toEqual([-1, ...long.map((_, i) => i), -1]);
  });
});
