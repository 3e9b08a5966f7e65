/**
 * Trains the block importance model on annotated pages and writes its coefficients:
 *
 *   tsx scripts/train-block-importance.ts <folder of snapshots> [--write]
 *
 * The folder holds a PageSnapshot as `<site>.json` for each annotated page, with the marks (`data-block-type`) among
 * the attributes. Prints leave-site-out scores next to the majority baseline; with --write the model of all pages
 * replaces src/science/layout/importance/coefficients.generated.ts.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageSnapshot } from '../src/model/page-snapshot.ts';
import type { LogisticModel } from '../src/science/layout/importance/logistic.ts';
import { annotatedSamples, type Sample } from './block-importance/annotated-blocks.ts';
import {
  choosePenalty,
  crossValidate,
  majority,
  type Scores,
  scores,
  train,
} from './block-importance/evaluate.ts';

const TARGET = new URL('../src/science/layout/importance/coefficients.generated.ts', import.meta.url);

function readSamples(folder: string): Sample[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files.flatMap((file) => {
    const snapshot = JSON.parse(readFileSync(join(folder, file), 'utf8')) as PageSnapshot;
    return annotatedSamples(file.slice(0, -'.json'.length), snapshot);
  });
}

const percent = (value: number): string => value.toFixed(3);

function report(name: string, { macroF1, accuracy, levels }: Scores): void {
  const each = levels.map((level, k) => `${k + 1}: ${percent(level.f1)} of ${level.blocks}`).join(', ');
  console.log(`${name}: macro-F1 ${percent(macroF1)}, accuracy ${percent(accuracy)}; F1 by level ${each}`);
}

/** Seven digits decide as well as all of them, and keep the file readable. */
const short = (values: readonly number[]): number[] => values.map((value) => Number(value.toPrecision(7)));

function write(model: LogisticModel, facts: string): void {
  const plain = {
    features: model.features,
    mean: short(model.mean),
    scale: short(model.scale),
    weights: model.weights.map(short),
  };
  const text = `// Made by scripts/train-block-importance.ts; do not edit. ${facts}
import type { LogisticModel } from './logistic.ts';

export const BLOCK_IMPORTANCE_MODEL: LogisticModel = ${JSON.stringify(plain)};
`;
  writeFileSync(TARGET, text);
  // As the linter expects it.
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(TARGET)], { stdio: 'inherit' });
}

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder of snapshots? see the head of this script');
const samples = readSamples(folder);
const sites = new Set(samples.map((sample) => sample.site)).size;
const labels = samples.map((sample) => sample.label);
console.log(`${samples.length} innermost marked blocks of ${sites} sites`);
report('majority', scores(labels, majority(samples)));
// The penalty is chosen afresh inside each fold, from the other sites alone.
const result = scores(
  labels,
  crossValidate(samples, 10, (rest) => train(rest, choosePenalty(rest))),
);
report('logistic, sites in 10 folds, penalty chosen inside', result);
const penalty = choosePenalty(samples);
const whole = scores(
  labels,
  crossValidate(samples, sites, (rest) => train(rest, penalty)),
);
report(`logistic, leave one site out, penalty ${penalty}`, whole);
if (flag === '--write') {
  const facts = `${samples.length} blocks of ${sites} sites; leave-site-out macro-F1 ${percent(whole.macroF1)}, majority ${percent(scores(labels, majority(samples)).macroF1)}.`;
  write(train(samples, penalty), facts);
  console.log('coefficients written');
}
