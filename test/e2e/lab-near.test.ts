import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { daguerre, temporaryFolder } from './daguerre.ts';

const WEEK = 604_800;
const START = 1_000_000_000;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  // Six pages of /b/ change in weeks 1, 2 and 4, the one of /b/f/ in week 3: Example 4 of the paper, and a week to try it on.
  const rows = ['path\tkind\ttime\tsize\tdigest', `/b/f/q\tA\t${START}\t1\tx`];
  for (let i = 0; i < 6; i++) {
    rows.push(`/b/p${i}\tA\t${START}\t1\tx`);
    for (const week of [1, 2, 4]) rows.push(`/b/p${i}\tM\t${START + week * WEEK + 60}\t1\tv${week}`);
  }
  rows.push(`/b/f/q\tM\t${START + 3 * WEEK + 60}\t1\ty`);
  const text = `${rows.join('\n')}\n`;
  await writeFile(join(folder, 'history.tsv.gz'), gzipSync(text));
  await writeFile(join(folder, 'bad.tsv'), `${text}/x\tQ\t5\t1\tx\n`);
  await writeFile(join(folder, 'none.tsv'), 'path\tkind\ttime\tsize\tdigest\n');
});

const near = (...args: string[]) => daguerre(['lab', 'near', ...args], { cwd: folder });
const THRESHOLDS = ['--doc', '.5', '--foc', '.6', '--coc', '.5', '--confidence', '.9'];

it('lab near --train 4 --test 1 --json, gzip => the rule of Example 4, and what it saves', async () => {
  const { code, stdout } = await near(
    ...[
      '--history',
      'history.tsv.gz',
      '--every',
      'week',
      ...THRESHOLDS,
      '--train',
      '4',
      '--test',
      '1',
      '--json',
    ],
  );
  expect(code).toBe(0);
  expect(stdout).toContain('{"if":["/","/b/"],"then":"/b/f/","confidence":1,"coc":-1,');
  expect(JSON.parse(stdout)).toMatchObject({
    versions: 5,
    metrics: {
      bypassRatio: 1 / 7,
      overallPrecision: 1,
      overallRecall: 1,
      changeRecall: 1,
      changeRecallEq9: 1,
    },
  });
});

it('lab near => a table; --out => a figure', async () => {
  const { code, stdout } = await near(
    '--history',
    'history.tsv.gz',
    '--every',
    String(WEEK),
    '--out',
    'figures',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/versions\s+5/);
});

it.each([
  [['--history', 'bad.tsv'], /bad\.tsv, line 28: kind must be A, M or D, not 'Q' \(--skip-bad/],
  [['--history', 'none.tsv'], /none\.tsv: the history has no events/],
  [['--history', 'no-such.tsv'], /no-such\.tsv/],
  [['--history', 'history.tsv.gz', '--train', '5', '--test', '2'], /has 5 versions, and 7 are asked for/],
  [['--history', 'history.tsv.gz', '--test', '2'], /--test needs --train/],
  [['--history', 'history.tsv.gz', '--train', '1'], /at least 2/],
  [['--history', 'history.tsv.gz', '--doc', '0'], /above 0/],
  [['--history', 'history.tsv.gz', '--foc', '1.2'], /not a share from 0 to 1/],
  [['--history', 'history.tsv.gz', '--every', '0'], /longer than nothing/],
  [['--history', 'history.tsv.gz', '--every', '1'], /too many/],
  [['--history', 'history.tsv.gz', '--target', '/x'], /no version has a directory \/x\//],
])('lab near %j => refused with the reason, no stack', async (args, reason) => {
  const { code, stderr } = await near(...args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(reason);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('--skip-bad => left out and counted', async () => {
  const { code, stdout } = await near('--history', 'bad.tsv', '--skip-bad', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ versions: 5, skipped: 1 });
});
