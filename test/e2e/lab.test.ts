import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { daguerre, temporaryFolder } from './daguerre.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('lab sharc', () => {
  const sharc = (...args: string[]) =>
    daguerre(['lab', 'sharc', '--rates', '0,1,2,3,4,5', '--delay', '1', ...args]);

  test('λ = (0,1,2,3,4,5), sharc-revisits, as JSON => the fields of the contract, blur 22.59', async () => {
    const { code, json, stderr } = await sharc('--strategy', 'sharc-revisits', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject({
      strategy: 'sharc-revisits',
      visits: [0, 5, 1, 4, 2, 3],
      revisits: [6, 11, 7, 10, 8, 9],
      blur: expect.closeTo(22.5909, 4),
      expectedSharp: expect.closeTo(1.0025, 4),
      sharp: null,
      exactBlur: null,
    });
  });

  test('with the changes of Example 7.9 => sharp pages and exact blur, also as a table and a figure', async () => {
    const changes = [[], [1], [2, 9], [2, 8, 10], [1, 3, 7, 11], [2, 3, 4, 5, 6, 7]];
    const rows = changes.flatMap((times, page) => times.map((time) => `p${page}\t${time}\n`));
    const path = file('changes.tsv', rows.join(''));
    const args = ['--strategy', 'sharc-threshold', '--threshold', '1', '--changes', path];
    const { json } = await sharc(...args, '--json');
    expect(json()).toMatchObject({ sharp: 1, exactBlur: expect.any(Number) });
    const { stdout } = await sharc(...args, '--out', join(folder, 'figures'));
    expect(stdout).toMatch(/^sharp pages +1$/m);
    expect(readdirSync(join(folder, 'figures'))).toEqual(['sharc-sharc-threshold.svg']);
  });

  test.each([
    [['--rates', '1,-2'], "rate 2 of 2: a rate must be a finite number >= 0, not '-2'"],
    [['--rates', '1,NaN'], "not 'NaN'"],
    [['--delay', '0'], 'the delay must be a finite number > 0, not 0'],
    [['--threshold', '0.5'], 'a threshold goes with the strategy sharc-threshold'],
    [['--strategy', 'no-such'], 'Allowed choices are'],
    [['--changes', 'no-such.tsv'], 'no-such.tsv: ENOENT'],
  ])('%j => refused: %s', async (args, reason) => {
    const { code, stdout, stderr } = await sharc(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('    at ');
  });

  test('a bad row of a table => refused with file, line and reason, or left out and counted', async () => {
    const path = file('rates.tsv', 'page\trate\na\t1\nb\thot\nc\t2\n');
    const refused = await sharc('--rates', path);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`${path}, line 3: a rate must be a finite number >= 0, not 'hot'`);
    const left = await sharc('--rates', path, '--skip-bad', '--json');
    expect(left.json()).toMatchObject({ pages: ['a', 'c'], skipped: 1 });
    expect(left.stderr).toContain('1 bad rows left out');
  });
});

test('lab sharc-online on the site of Fig. 2 => the order of Table 3', async () => {
  const graph = file('links.tsv', 'from\tto\np0\tp1\np0\tp2\np1\tp3\np1\tp4\np2\tp5\n');
  const rates = file('six.tsv', [0, 1, 2, 3, 4, 5].map((rate) => `p${rate}\t${rate}\n`).join(''));
  const args = ['lab', 'sharc-online', '--graph', graph, '--rates', rates, '--size', '6'];
  const { json } = await daguerre([...args, '--json']);
  expect(json()).toMatchObject({ size: 6, order: ['p0', 'p1', 'p4', 'p3', 'p2', 'p5'] });
  const { code, stdout } = await daguerre(args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +2 +p4 +4$/m);
});

describe('lab crawl', () => {
  const args = ['lab', 'crawl', '--pages', '30', '--order', 'breadth-first', 'sharc-offline'];

  test('two orders, twice with one seed => the same rows, as simulated, and figures', async () => {
    const out = join(folder, 'crawl');
    const [first, second] = [
      await daguerre([...args, '--json', '--out', out]),
      await daguerre([...args, '--json']),
    ];
    const { rows } = first.json<{ rows: object[] }>();
    expect(rows).toMatchObject([
      { order: 'breadth-first', pages: 30, visits: 30, sameSlot: 1 },
      { order: 'sharc-offline', pages: 30, visits: 60, sameSlot: 1 },
    ]);
    expect(second.json()).toMatchObject({ rows });
    expect(readFileSync(join(out, 'crawl-blur.svg'), 'utf8')).toMatch(/^<svg/);
  });

  test.each([
    [['--pages', '1'], /breadth-first +1 +0 /],
    [['--delay', '0', '--sites', '3', '--revisit', 'blur'], /breadth-first +90 /],
  ])('%j => crawled', async (more, line) => {
    const { code, stdout, stderr } = await daguerre([...args, ...more]);
    expect(stdout).toMatch(line);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test.each([
    [['--pages', '0'], 'at least one'],
    [['--workers', '0'], 'at least one'],
    [['--hottest', '-5'], '0 to 1000000 times a day'],
    [['--order', 'no-such'], 'Allowed choices are'],
  ])('%j => refused', async (more, reason) => {
    const { code, stderr } = await daguerre([...args, ...more]);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });
});

describe('lab reproduce', () => {
  test('--quick, two experiments => CSV, JSON and SVG of each and one page without scripts', async () => {
    const out = join(folder, 'results');
    const names = ['sharc-table-4', 'sharc-worst-case', 'sharc-fig-9'];
    const { code, json, stderr } = await daguerre([
      'lab',
      'reproduce',
      ...names,
      '--quick',
      '--json',
      '--out',
      out,
    ]);
    expect(code).toBe(0);
    const { experiments } = json<{
      experiments: { name: string; findings?: object[]; skipped?: string }[];
    }>();
    expect(experiments.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(experiments.find(({ name }) => name === 'sharc-fig-9')?.skipped).toContain('--data');
    expect(stderr).toContain('sharc-fig-9: skipped');
    for (const ending of ['csv', 'json', 'svg']) {
      expect(existsSync(join(out, `sharc-table-4.${ending}`))).toBe(true);
    }
    const table = readFileSync(join(out, 'sharc-table-4.csv'), 'utf8');
    expect(table).toMatch(/^strategy,paper,mean,deviation\n/);
    expect(table.trimEnd().split('\n')).toHaveLength(9);
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    expect(page).toContain('<svg');
    expect(page).toContain('+176');
  });

  test('--list => names, nothing is run; without it a folder is needed', async () => {
    const { stdout } = await daguerre(['lab', 'reproduce', 'sharc', '--list']);
    expect(stdout).toMatch(/^sharc-table-4 +SHARC 2009 +Table 4 +Sharp pages$/m);
    const { code, stderr } = await daguerre(['lab', 'reproduce', 'sharc']);
    expect([code, stderr]).toEqual([2, 'daguerre: name a folder for the results: --out <dir>\n']);
  });

  test('an experiment that is not there => refused with those that are', async () => {
    const { code, stderr } = await daguerre(['lab', 'reproduce', 'fig-99', '--out', join(folder, 'none')]);
    expect(code).toBe(2);
    expect(stderr).toContain("no experiment is named 'fig-99'; there are: all, sharc-fig-4");
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
