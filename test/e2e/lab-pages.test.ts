import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { daguerre, temporaryFolder } from './daguerre.ts';

const HOUR = 3600;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await Promise.all([
    write(
      'changes.tsv',
      'page\ttime\timportance\nP1\t100\t0.13\nP1\t500\t0.5\nP2\t100\t0.45\nP2\t500\t0.1\n',
    ),
    write('captures.tsv.gz', gzipSync('P1\t200\nP1\t400\nP2\t300\n')),
    write('bad.tsv', 'P1\t100\t0.13\nP1\tsoon\t0.5\nP2\t100\t1.7\n'),
    write('links.tsv', 'from\tto\nhttp://a.org/\thttp://b.org/\nhttp://b.org/\thttp://a.org/x\n'),
    write('anna.tsv', 'http://a.org/x\t1\nhttp://b.org/\t2\nhttp://a.org/\t3\nhttp://gone.org/\t3\n'),
    write('karl.tsv', 'page\trank\nhttp://a.org/x\t2\nhttp://b.org/\t1\nhttp://a.org/\t3\n'),
    write('words.tsv', 'http://a.org/x\ttext weight\t.7\nhttp://b.org/\ttext weight\t.2\n'),
    write('observations.tsv.gz', gzipSync(observations())),
  ]);
});

const write = (name: string, content: string | Uint8Array): Promise<void> =>
  writeFile(join(folder, name), content);

/** Twelve pages over six days, seen every hour: page n changes each n + 1 hours, in the daytime. */
function observations(): string {
  const rows: string[] = [];
  for (let page = 0; page < 12; page++) {
    for (let hour = 0; hour < 144; hour++) {
      const changed = hour % 24 >= 6 && hour % (page + 1) === 0;
      rows.push(`site/${page}\t${1_640_995_200 + hour * HOUR}\t${changed ? 1 : 0}\t${changed ? 0.2 : 0}`);
    }
  }
  return `${rows.join('\n')}\n`;
}

const lab = (command: string, ...args: string[]) => daguerre(['lab', command, ...args], { cwd: folder });

describe.concurrent('lab importance', () => {
  it('links => PageRank and OPIC that add up to 1, sites, the error by visits, and a figure', async () => {
    const { code, json } = await lab(
      'importance',
      ...['--links', 'links.tsv', '--visits', '30', '--order', 'greedy', '--json', '--out', 'figures'],
    );
    expect(code).toBe(0);
    const { pageRank, opic, sites, error } = json<
      Record<'pageRank' | 'opic' | 'sites', object> & { error: number[] }
    >();
    for (const values of [pageRank, opic])
      expect(Object.values(values).reduce((sum: number, value: number) => sum + value, 0)).toBeCloseTo(1, 9);
    expect(Object.keys(sites)).toEqual(['a.org', 'b.org']);
    expect(error).toHaveLength(30);
    expect(error[29]).toBeLessThan(0.1);
    expect(readFileSync(join(folder, 'figures', 'importance.svg'), 'utf8')).toMatch(/^<svg/);
  });

  it('rankings of two people and a score of words => weights, agreement, who is not known', async () => {
    const { code, json } = await lab(
      'importance',
      ...['--links', 'links.tsv', '--ranking', 'anna.tsv', '--second', 'karl.tsv', '--scores', 'words.tsv'],
      '--json',
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      ranking: {
        of: 'pages',
        ranked: 3,
        unknown: ['http://gone.org/'],
        scores: { 'text weight': { alone: { kendall: 1, agreed: 1 } }, PageRank: { alone: { pages: 3 } } },
        second: { rankers: { pages: 3, agreed: 2 / 3 } },
      },
    });
  });

  it.each([
    [['--second', 'karl.tsv'], '--ranking <file>'],
    [['--ranking', 'bad.tsv'], 'bad.tsv, line 1: 2 columns are needed, not 3'],
    [['--ranking', 'captures.tsv.gz'], "line 2: 'P1' has a rank already"],
  ])('%j => exit code 2 and the reason', async (flags, reason) => {
    const { code, stderr } = await lab('importance', '--links', 'links.tsv', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('a damping of 1, a row of one column => exit code 2, what it should be', async () => {
    expect(await lab('importance', '--links', 'bad.tsv', '--damping', '1')).toMatchObject({ code: 2 });
    const { code, stderr } = await lab('importance', '--links', 'bad.tsv');
    expect([code, stderr]).toEqual([2, expect.stringContaining('bad.tsv, line')]);
  });
});

describe.concurrent('lab completeness', () => {
  it('Example 1 of the paper, one file packed => 0.206, 0.818, archive 0.512, and a figure', async () => {
    const { code, json } = await lab(
      'completeness',
      ...['--changes', 'changes.tsv', '--captures', 'captures.tsv.gz', '--json', '--out', 'figures'],
    );
    expect(code).toBe(0);
    const { archive, pages } = json<{ archive: number; pages: Record<string, number> }>();
    expect(archive).toBeCloseTo(0.512, 3);
    expect(pages.P1).toBeCloseTo(0.206, 3);
    expect(pages.P2).toBeCloseTo(0.818, 3);
    expect(readFileSync(join(folder, 'figures', 'completeness.svg'), 'utf8')).toMatch(/^<svg/);
  });

  it('a bad row => exit code 2, file, line and reason; --skip-bad => it is counted', async () => {
    const files = ['--changes', 'bad.tsv', '--captures', 'captures.tsv.gz'];
    const refused = await lab('completeness', ...files);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/bad\.tsv, line 2: time must be Unix seconds, not 'soon'/);
    const { code, stderr, json } = await lab('completeness', ...files, '--skip-bad', '--json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/2 bad rows left out/);
    expect(json()).toMatchObject({ skipped: 2, pages: { P1: 1 } });
  });

  it('a file that is not there => exit code 2, its name', async () => {
    const { code, stderr } = await lab(
      'completeness',
      '--changes',
      'no.tsv',
      '--captures',
      'captures.tsv.gz',
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/no\.tsv/);
  });
});

describe.concurrent('lab patterns', () => {
  it('pages that sleep until six => patterns that do, thresholds, groups', async () => {
    const { code, json } = await lab('patterns', '--observations', 'observations.tsv.gz', '--json');
    expect(code).toBe(0);
    const { patterns, thresholds, groups } = json<{
      patterns: Record<string, number[]>;
      thresholds: Record<string, number>;
      groups: { pages: string[] }[];
    }>();
    expect(patterns['site/0']?.[3]).toBe(0);
    expect(patterns['site/0']?.[12]).toBeCloseTo(0.2, 6);
    expect(thresholds['site/0']).toBeGreaterThan(thresholds['site/11'] as number);
    expect(groups.flatMap(({ pages }) => pages)).toHaveLength(12);
  });

  it('a zone that is not one, both tables, or none => exit code 2', async () => {
    const zone = await lab('patterns', '--changes', 'changes.tsv', '--timezone', 'Mars/North');
    expect([zone.code, zone.stderr]).toEqual([2, expect.stringMatching(/Mars\/North/)]);
    const none = await lab('patterns');
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/--changes or --observations/)]);
  });
});

describe.concurrent('lab policies', () => {
  const run = (...more: string[]) =>
    lab(
      'policies',
      '--observations',
      'observations.tsv.gz',
      '--train',
      '3',
      '--test',
      '3',
      '--json',
      ...more,
    );

  it('budgets of 0, 10 and above all pages => nothing, something, all; every policy below the optimum', async () => {
    const { code, json } = await run('--budget', '0,10,200', '--rounds', '50', '--out', 'figures');
    expect(code).toBe(0);
    const report = json<{
      budgets: number[];
      policies: Record<string, number[]>;
      clairvoyant: number[];
    }>();
    expect(report.budgets).toEqual([0, 10, 200]);
    expect(Object.keys(report.policies)).toEqual(
      expect.arrayContaining([
        'importance-pattern',
        'expected-gain',
        'priced-gain',
        'frequency',
        'round-robin',
      ]),
    );
    for (const [none = 1, some = 0, all = 0] of Object.values(report.policies)) {
      expect(none).toBe(0);
      expect(some).toBeGreaterThan(0);
      expect(some).toBeLessThanOrEqual((report.clairvoyant[1] as number) + 1e-9);
      expect(all).toBeCloseTo(1, 9);
    }
    expect(readFileSync(join(folder, 'figures', 'policies-per-page-measured-pooled.svg'), 'utf8')).toMatch(
      /clairvoyant/,
    );
  });

  it('a cold start, pooled, twice with one seed => the same', async () => {
    const cold = ['--budget', '10', '--cold', '--objective', 'pooled', '--seed', '7'];
    const [first, second] = await Promise.all([run(...cold), run(...cold)]);
    expect(first.code).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    expect(first.json()).toMatchObject({ cold: true, objective: 'pooled', seed: '7' });
  });

  it('a budget that is no number, a policy that is none, a test without changes => exit code 2, why', async () => {
    expect((await run('--budget', 'much')).stderr).toMatch(/'much' is not a budget/);
    const unknown = await run('--budget', '10', '--policy', 'luck');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/no policy is named 'luck'/)]);
    const late = await run('--budget', '10', '--from', '30');
    expect([late.code, late.stderr]).toEqual([2, expect.stringMatching(/nothing of any importance/)]);
  });
});
