/**
 * Learns the two models of the default segmenter from annotated pages. For each part of a page that has parts: it is to
 * be split if it holds text of two marked blocks (at level 1 also: of one block and of none). Pages have equal weight,
 * parts the root of their share of the page's text, so that neither long pages nor the many tiny parts dominate. The
 * intercept is then set where characters F on the same pages is best.
 */

import { type BlockModels, decideSplits, oddsOf } from '../../science/layout/blocks/decide.ts';
import { FEATURES, type Feature } from '../../science/layout/blocks/features.ts';
import { joinsOf, runsOf } from '../../science/layout/blocks/joins.ts';
import { type PreparedPage, preparePage } from '../../science/layout/blocks/prepared-page.ts';
import type { SplitModel } from '../../science/layout/blocks/split-model.ts';
import type { VisualPart } from '../../science/layout/blocks/visual-tree.ts';
import { NO_CLASS } from '../../science/quality/bcubed.ts';
import { type Example, fitLogistic } from '../fit-logistic.ts';
import type { AnnotatedPage, Level } from './annotated-page.ts';
import { scoreOf } from './score.ts';

/** The features of the coarse model: some 80 pages cannot support more at this level (measured: held-out F falls). */
const COARSE_FEATURES: readonly Feature[] = ['areaRest'];
const FINE_FEATURES: readonly Feature[] = FEATURES;
/** Strong: 24 coefficients are fitted to only some 80 pages, each of weight 1. */
const RIDGE = 3;
/** More than enough for the weights to settle. */
const STEPS = 20_000;
/** Log-odds that are tried as additions to the intercept. */
const SHIFTS = Array.from({ length: 17 }, (_, i) => (i - 8) / 4);

export interface TrainingPage {
  readonly page: AnnotatedPage;
  readonly prepared: PreparedPage;
  /** Innermost part around each snapshot node. */
  readonly owner: Int32Array;
}

export function trainingPage(page: AnnotatedPage): TrainingPage {
  const prepared = preparePage(page.snapshot);
  return { page, prepared, owner: ownersOf(page, prepared.tree.parts) };
}

function ownersOf({ snapshot }: AnnotatedPage, parts: readonly VisualPart[]): Int32Array {
  const owner = new Int32Array(snapshot.nodes.length).fill(-1);
  parts.forEach((part, index) => {
    for (const node of part.nodes) owner[node] = index;
  });
  snapshot.nodes.forEach(({ parent }, i) => {
    if (owner[i] === -1) owner[i] = parent >= 0 ? (owner[parent] as number) : 0;
  });
  return owner;
}

/** Examples from one page at one level. */
function examplesOf(
  { page, prepared, owner }: TrainingPage,
  level: Level,
  features: readonly Feature[],
): Example[] {
  const { parts } = prepared.tree;
  const { atoms, marks } = page;
  const text = new Float64Array(parts.length);
  /** The class of all text in each part; MIXED for two or more. */
  const holds = new Int32Array(parts.length).fill(EMPTY);
  const meet = (a: number, b: number): number => (a === EMPTY ? b : b === EMPTY || a === b ? a : MIXED);
  atoms.nodes.forEach((node, atom) => {
    const weight = atoms.weights.characters[atom] as number;
    const mark = marks[level][atom] as number;
    if (weight === 0 || (level === 2 && mark === NO_CLASS)) return;
    const part = owner[node] as number;
    (text[part] as number) += weight;
    holds[part] = meet(holds[part] as number, mark);
  });
  for (let index = parts.length - 1; index >= 0; index--) {
    const { parent } = parts[index] as VisualPart;
    if (parent < 0) continue;
    (text[parent] as number) += text[index] as number;
    holds[parent] = meet(holds[parent] as number, holds[index] as number);
  }
  const columns = features.map((name) => FEATURES.indexOf(name));
  const examples: Example[] = [];
  parts.forEach(({ children }, index) => {
    if (children.length === 0 || holds[index] === EMPTY) return;
    const row = index * FEATURES.length;
    examples.push({
      features: columns.map((column) => prepared.rows[row + column] as number),
      label: holds[index] === MIXED ? 1 : 0,
      weight: Math.sqrt(text[index] as number),
    });
  });
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  return examples.map((example) => ({ ...example, weight: example.weight / total }));
}

const EMPTY = -3;
const MIXED = -2;

function learn(pages: readonly TrainingPage[], level: Level, features: readonly Feature[]): SplitModel {
  const marked = pages.filter(({ page }) => page.marks[level].some((mark) => mark !== NO_CLASS));
  const examples = marked.flatMap((page) => examplesOf(page, level, features));
  // The ridge is relative to the sum of all weights, not to their mean; doubled, since two classes share it.
  const penalty = (2 * RIDGE) / examples.reduce((sum, { weight }) => sum + weight, 0);
  const { mean, scale, weights } = fitLogistic(features, examples, { classes: 2, penalty, steps: STEPS });
  const [keep = [], split = []] = weights;
  const logOdds = split.map((weight, j) => weight - (keep[j] as number));
  const raw = features.map((_, j) => (logOdds[j + 1] as number) / (scale[j] as number));
  return {
    intercept: raw.reduce((sum, weight, j) => sum - weight * (mean[j] as number), logOdds[0] ?? 0),
    weights: Object.fromEntries(features.map((name, j) => [name, raw[j] as number])),
  };
}

export function trainBlocks(pages: readonly TrainingPage[]): BlockModels {
  const coarse = learn(pages, 1, COARSE_FEATURES);
  const fine = learn(pages, 2, FINE_FEATURES);
  const shifted = (model: SplitModel, shift: number): SplitModel => ({
    ...model,
    intercept: model.intercept + shift,
  });
  const coarseShift = bestShift((shift) => meanF(pages, 1, { coarse: shifted(coarse, shift), fine }));
  const models = { coarse: shifted(coarse, coarseShift), fine };
  const fineShift = bestShift((shift) => meanF(pages, 2, { ...models, fine: shifted(fine, shift) }));
  return { ...models, fine: shifted(fine, fineShift) };
}

/** The middle of the best five neighbours: the middle of a plateau, not a peak, which with so few pages is chance. */
function bestShift(f: (shift: number) => number): number {
  const values = SHIFTS.map(f);
  const around = (i: number): number => values.slice(i - 2, i + 3).reduce((sum, value) => sum + value, 0);
  let best = 2;
  for (let i = 2; i < values.length - 2; i++) if (around(i) > around(best)) best = i;
  return SHIFTS[best] as number;
}

/** Mean characters F over the pages with marks at the level: the segmenter without writing its tree. */
function meanF(pages: readonly TrainingPage[], level: Level, models: BlockModels): number {
  let sum = 0;
  let count = 0;
  for (const { page, prepared, owner } of pages) {
    const block = blocksOf(prepared, models, level);
    const score = scoreOf(
      page,
      level,
      'characters',
      owner.map((part) => block[part] as number),
    );
    if (score === undefined) continue;
    sum += score.f;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

/** Block of each part, identified by its first part. */
export function blocksOf(prepared: PreparedPage, models: BlockModels, level: Level): Int32Array {
  const { parts } = prepared.tree;
  const { coarse, split } = decideSplits(prepared, oddsOf(prepared, models));
  const joined = joinsOf(prepared, split);
  const cut = level === 1 ? coarse : split;
  const block = Int32Array.from(parts, (_, index) => index);
  parts.forEach(({ parent }, index) => {
    if (parent >= 0 && cut[parent] === 0) block[index] = block[parent] as number;
    if (cut[index] === 0) return;
    for (const run of runsOf(parts, joined, index)) {
      for (const child of run) block[child] = run[0] as number;
    }
  });
  return block;
}
