/**
 * Every benchmark, one after the other: `npx tsx bench/run.ts [--quick] [--out FILE]`.
 *
 * Prints the ratios in one table, then the figures of each benchmark; `--out` writes the same as JSON. Needs the
 * build (`npm run build`) and, for the comparison with crawlee, `npm ci --prefix bench`. `--quick` shows in a
 * few minutes that all of them run; its figures are not to be quoted.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchResult, markdown, ratioTable } from './figures.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
});

const BENCHES: readonly (readonly [file: string, quick: readonly string[]])[] = [
  ['record-writing.ts', ['--records', '200', '--rounds', '1']],
  ['crawl-http.ts', ['--pages', '200', '--rounds', '1']],
  ['crawl-rendered.ts', ['--pages', '20', '--rounds', '1']],
  ['frontier.ts', ['1000', '10000']],
  ['segmentation.ts', ['--rounds', '1', '--pages', '100']],
  ['delta.ts', ['--rounds', '1']],
  ['delta-pages.ts', ['--rounds', '1', '--most', '2']],
  ['template.ts', ['--versions', '3']],
  ['tick.ts', ['--rounds', '3', '10000', '100000']],
  ['watch-tick.ts', ['--rounds', '3', '10000', '100000']],
  ['learn.ts', ['--pages', '100', '--crawls', '5']],
  ['importance-scale.ts', ['--pages', '50000']],
  ['near.ts', ['--nodes', '20000', '--versions', '8']],
  ['importance.ts', ['--pages', '200', '--rounds', '2']],
];

function run(file: string, args: readonly string[]): BenchResult {
  process.stderr.write(`${file}\n`);
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, path, '--json', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${file} ended with exit code ${status}`);
  return JSON.parse(stdout) as BenchResult;
}

const results = BENCHES.map(([file, quick]) => run(file, values.quick ? quick : []));
const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
process.stdout.write(`${machine}\n\n${ratioTable(results)}\n${results.map(markdown).join('\n')}`);
if (values.out !== undefined)
  writeFileSync(values.out, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
