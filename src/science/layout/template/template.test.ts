import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph, text } from '../../../../test/drawn-page.ts';
import type { HtmlNode, HtmlTree } from '../../../model/html-tree.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { blocks } from '../blocks/index.ts';
import { commonSequence } from './match.ts';
import { candidatesOf, sameScripts, scriptShape, sketchOf, surroundingsOf } from './sketch.ts';
import { steadyCut } from './steady-cut.ts';
import { resolver } from './url-names.ts';
import { isVerifyingTurn, type TemplateTurn, turnAfter } from './verify-turn.ts';

test.each([
  ['f("a", 1)', 'f(_)'],
  ['x = [{a: 1}, {"b": [2, null]}]', 'x=[{a:_},_]'],
  ['var data = {"a": ["b", "c"], "d": true};', 'vardata=_;'],
])('the shape of %s => its calls without its data', (code, shape) => {
  expect(scriptShape(code)).toBe(shape);
});

const withScript = (code: string): HtmlTree => {
  const nodes: HtmlNode[] = [
    { kind: 'element', parent: -1, end: 4, tag: 'html', attributes: {} },
    { kind: 'element', parent: 0, end: 4, tag: 'body', attributes: {} },
    { kind: 'element', parent: 1, end: 4, tag: 'script', attributes: {} },
    { kind: 'text', parent: 2, end: 4, text: code },
  ];
  return { nodes, doubts: [] };
};

test.each([
  ['count("a", 12)', 'count("b", 13)', true],
  ['load(["a"])', 'load(["a", "b"])', true],
  ['count("a")', 'discount("a")', false],
])('%s then %s => the same scripts: %s', (before, after, same) => {
  const known = surroundingsOf(sketchOf(withScript(before)));
  expect(sameScripts(known.scripts, sketchOf(withScript(after)))).toBe(same);
});

test('a srcset => its candidates, commas in URLs kept', () => {
  expect(candidatesOf('/a,b.jpg 1x, /c.jpg 2x')).toEqual([
    ['/a,b.jpg', '1x'],
    ['/c.jpg', '2x'],
  ]);
  expect(candidatesOf(' one.jpg ')).toEqual([['one.jpg', '']]);
});

test('the quick way of a resolver => what the URL parser says', () => {
  const path = fc.string({
    unit: fc.constantFrom('/', '.', 'a', '%', 'é', ' ', '?', '#', ':', '\\', '"', '*', '@'),
  });
  fc.assert(
    fc.property(path, (url) => {
      const base = 'https://a.test/b/c?d';
      const wanted = URL.canParse(url, base) ? new URL(url, base).href : url;
      expect(resolver(base)(url)).toBe(wanted);
    }),
  );
});

/** By brute force. */
function longest(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const [first, ...rest] = a;
  const at = b.indexOf(first as number);
  const without = longest(rest, b);
  return at < 0 ? without : Math.max(without, 1 + longest(rest, b.slice(at + 1)));
}

test('commonSequence => partners in order, equal, and as many as can be', () => {
  const list = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 });
  fc.assert(
    fc.property(list, list, (ours, theirs) => {
      const partner = commonSequence(ours, theirs) ?? [];
      const pairs = partner.flatMap((j, i) => (j < 0 ? [] : [[i, j] as const]));
      expect(pairs.every(([i, j]) => ours[i] === theirs[j])).toBe(true);
      expect(pairs.every(([, j], k) => k === 0 || j > (pairs[k - 1]?.[1] ?? -1))).toBe(true);
      expect(pairs.length).toBe(longest(ours, theirs));
    }),
  );
});

describe('steadyCut', () => {
  const story = (y: number, inside: readonly Drawn[]): Drawn => ({
    box: [0, y, 1280, 400],
    style: { background: '#eeeeee' },
    children: inside,
  });
  const prose = (y: number): Drawn => paragraph('prose '.repeat(80), 0, y, 1280, 400);
  const pageOf = (...stories: Drawn[]): PageSnapshot =>
    drawPage({ box: [0, 0, 1280, 420 * stories.length], children: stories });
  const before = pageOf(story(0, [prose(0)]), story(420, [prose(420)]), story(840, [prose(840)]));
  const memory = blocks.segment(before).memory as string;

  test('the same parts => the remembered cut', () => {
    expect(steadyCut(before, memory)?.segments).toHaveLength(3);
  });

  test('a story more => nothing: only its size would tell what it is', () => {
    const grown = pageOf(...[0, 420, 840, 1260].map((y) => story(y, [prose(y)])));
    expect(steadyCut(grown, memory)).toBeUndefined();
  });

  test('a text that has parts now, and clearly stays whole => the remembered cut', () => {
    const linked = story(0, [
      { box: [0, 0, 90, 20], tag: 'b', style: { display: 'inline' }, children: [text('One', 0, 0, 40, 20)] },
      text('two', 50, 0, 40, 20),
    ]);
    const page = pageOf(linked, story(420, [prose(420)]), story(840, [prose(840)]));
    expect(steadyCut(page, memory)?.segments.map(({ segments }) => segments.length)).toEqual([0, 0, 0]);
  });
});

test('every third version is verified; after a disagreement each one, until one agrees', () => {
  const turns: boolean[] = [];
  let last: TemplateTurn | undefined;
  const take = (verified: 'agreed' | 'disagreed'): void => {
    const verify = isVerifyingTurn(last, 3);
    turns.push(verify);
    last = turnAfter(last, verify ? verified : 'filled');
  };
  for (let i = 0; i < 6; i++) take('agreed');
  expect(turns.splice(0)).toEqual([false, false, true, false, false, true]);
  for (let i = 0; i < 5; i++) take('disagreed');
  expect(turns.splice(0)).toEqual([false, false, true, true, true]);
  for (let i = 0; i < 3; i++) take('agreed');
  expect(turns).toEqual([true, false, false]);
  expect(isVerifyingTurn(undefined, 1)).toBe(true);
});
