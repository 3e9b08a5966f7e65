import { describe, expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph } from '../../../test/drawn-page.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { blocks, blocksWith } from '../../science/layout/blocks/index.ts';
import { bcubed } from '../../science/quality/bcubed.ts';
import { printed } from '../experiment/text-table.ts';
import { stream } from '../newspaper/random.ts';
import { annotatedPage, LEVELS } from './annotated-page.ts';
import { cutAtDepth, cutByArea } from './baselines.ts';
import { foldsBySite } from './cross-validate.ts';
import { measureSegmenters } from './measure.ts';
import { treeCutter } from './partition.ts';
import { scoreOf } from './score.ts';
import { segment } from './segment.ts';
import { blocksOf, trainBlocks, trainingPage } from './train-blocks.ts';

const marked = (level: string, drawn: Drawn): Drawn => ({ ...drawn, attributes: { 'data-block': level } });

/** A header, a content area of two articles, and an unmarked line. */
function samplePage(height = 1000): PageSnapshot {
  const half = height / 2;
  const article = (y: number): Drawn =>
    marked('2', {
      box: [0, y, 1280, half - 10],
      style: { borders: [true, true, true, true] },
      children: [paragraph('Prose '.repeat(50), 0, y, 1280, half - 10)],
    });
  return drawPage({
    box: [0, 0, 1280, height + 160],
    children: [
      marked('1', paragraph('Header', 0, 0, 1280, 100)),
      marked('1', { box: [0, 100, 1280, height], children: [article(100), article(100 + half)] }),
      paragraph('unmarked', 0, height + 120, 1280, 40),
    ],
  });
}

describe('annotated pages', () => {
  test('an atom belongs to the outermost mark of its level, or to none', () => {
    const page = annotatedPage('a', samplePage());
    const texts = page.atoms.nodes.map((node, atom) => {
      const drawn = page.snapshot.nodes[node];
      return drawn?.kind === 'text' ? [drawn.text.slice(0, 6), page.marks[1][atom], page.marks[2][atom]] : [];
    });
    expect(texts).toEqual([
      ['Header', 1, -1],
      ['Prose ', 3, 4],
      ['Prose ', 3, 7],
      ['unmark', -1, -1],
    ]);
  });

  test('the marks themselves as a cut => 1 at level 2; at level 1 the unmarked text costs precision', () => {
    const page = annotatedPage('a', samplePage());
    const cut = Int32Array.from(page.snapshot.nodes, (_, i) => i);
    page.atoms.nodes.forEach((node, atom) => {
      cut[node] = page.marks[2][atom] as number;
    });
    expect(scoreOf(page, 2, 'characters', cut)?.f).toBe(1);
    page.atoms.nodes.forEach((node, atom) => {
      cut[node] = page.marks[1][atom] as number;
    });
    const score = scoreOf(page, 1, 'characters', cut);
    expect(score?.recall).toBe(1);
    expect(score?.precision).toBeCloseTo((6 + 2 * 250) / (6 + 2 * 250 + 8), 12);
  });

  test('a page without marks has no score', () => {
    const bare = annotatedPage('b', drawPage({ box: [0, 0, 9, 9], children: [paragraph('x', 0, 0, 9, 9)] }));
    expect(scoreOf(bare, 1, 'characters', new Int32Array(9))).toBeUndefined();
  });
});

describe('trivial cuts', () => {
  const page = drawPage({
    box: [0, 0, 100, 100],
    children: [
      { box: [0, 0, 100, 80], children: [paragraph('a', 0, 0, 100, 75), paragraph('b', 0, 75, 100, 5)] },
      paragraph('c', 0, 80, 100, 20),
    ],
  });
  // 0 body, 1 div, 2 p, 3 "a", 4 p, 5 "b", 6 p, 7 "c"

  test('depth 1 => body, its two children with all they hold', () => {
    expect([...cutAtDepth(page, 1)]).toEqual([0, 1, 1, 1, 1, 1, 6, 6]);
  });

  test('area 50 % => descends into what is larger; text stays with its element', () => {
    expect([...cutByArea(page, 0.5)]).toEqual([0, 1, 2, 2, 4, 4, 6, 6]);
  });
});

describe('training', () => {
  const pages = [800, 900, 1000, 1100, 1200, 1300].map((height, i) =>
    annotatedPage(`site-${i}`, samplePage(height)),
  );

  test('learned models find the marks of pages like those learned from', () => {
    const models = trainBlocks(pages.slice(1).map(trainingPage));
    const unseen = trainingPage(pages[0] as (typeof pages)[number]);
    const block = blocksOf(unseen.prepared, models, 2);
    const cut = unseen.owner.map((part) => block[part] as number);
    expect(scoreOf(unseen.page, 2, 'characters', cut)?.f).toBe(1);
  });

  test('blocks of parts, as used in training, and segments of the page are the same cut', () => {
    const models = trainBlocks(pages.map(trainingPage));
    const cutter = treeCutter(blocksWith(models, 'learned'));
    for (const { page, prepared, owner } of pages.map(trainingPage)) {
      for (const level of LEVELS) {
        const block = blocksOf(prepared, models, level);
        const byPart = page.atoms.nodes.map((node) => block[owner[node] as number] as number);
        const bySegment = cutter.partition(page.snapshot, level);
        const named = page.atoms.nodes.map((node) => bySegment[node] as number);
        expect(named).not.toContain(-1);
        expect(bcubed(page.atoms.weights.nodes, byPart, named).f).toBe(1);
      }
    }
  });

  test('pages of one site fall into one fold', () => {
    const names = ['b', 'a', 'b', 'c', 'a'].map((name) => ({
      ...(pages[0] as (typeof pages)[number]),
      name,
    }));
    expect(foldsBySite(names, 2)).toEqual([1, 0, 1, 0, 0]);
  });
});

describe('measuring', () => {
  async function* set() {
    for (const height of [800, 900, 1000, 1100])
      yield { name: `site-${height}`, snapshot: samplePage(height) };
    yield { name: 'bare', snapshot: drawPage({ box: [0, 0, 9, 9], children: [paragraph('x', 0, 0, 9, 9)] }) };
  }
  const options = () => ({
    random: stream('test').next,
    cutters: [treeCutter(blocks)],
    reference: blocks.name,
    folds: 2,
    rounds: 50,
  });
  const run = () => measureSegmenters(set(), options());

  test('every level and weighting has every cutter; same seed, same result', async () => {
    const result = await run();
    expect(result).toEqual(await run());
    expect(result.pages).toBe(4);
    expect(result.unmarked).toEqual(['bare']);
    expect(result.levels.map(({ level, weighting }) => `${level} ${weighting}`)).toEqual(
      [1, 2].flatMap((level) => ['characters', 'nodes', 'pixels', 'edges'].map((w) => `${level} ${w}`)),
    );
    for (const { cutters } of result.levels) {
      const names = cutters.map(({ name }) => name);
      expect(names.slice(0, 3)).toEqual([blocks.name, 'blocks, held out (2 folds)', 'whole page']);
      const own = cutters[0];
      expect(own?.toReference).toBeUndefined();
      for (const { f } of cutters) expect(f.low <= f.mean && f.mean <= f.high).toBe(true);
    }
  });

  test('the table shows a line per cutter', async () => {
    const outcome = await segment.run({ set: set(), ...options() });
    const table = outcome.kind === 'measured' ? printed(outcome.text) : outcome.reason;
    expect(table).toContain('without marks, left out: bare');
    expect(table.match(/^whole page /gmu)).toHaveLength(8);
  });
});
