/**
 * Several crawlers on one site, in turns: A B C, A B C, … On a busy machine a slow minute then affects all of them, and
 * the ratio of each round stays fair. A run that missed a page is an error, not a fast run.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, type Ratio, round } from './figures.ts';
import { bytesBelow, runCommand } from './run-command.ts';
import { type Counts, type SiteName, startSite } from './site-server.ts';

export interface Contestant {
  readonly name: string;
  /** The command that crawls `url`, with an empty folder to write to. */
  command(url: string, folder: string): readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Measures the second run into the same folder: the pages are known, and did not change. */
  readonly again?: boolean;
  /** Whether it must fetch every file of the site, not only every page. */
  readonly everyFile?: boolean;
}

export interface Result {
  readonly name: string;
  readonly pages: number;
  /** One value per round. */
  readonly seconds: readonly number[];
  readonly cpuSeconds: readonly number[];
  readonly warcBytes: number;
  readonly connections: number;
}

export const DAGUERRE = fileURLToPath(new URL('../bin/daguerre.js', import.meta.url));

export async function contest(
  site: SiteName,
  pages: number,
  rounds: number,
  contestants: readonly Contestant[],
): Promise<ReadonlyMap<string, Result>> {
  const server = await startSite(site, pages);
  const runs = new Map(
    contestants.map(({ name }) => [
      name,
      { seconds: [] as number[], cpuSeconds: [] as number[], warcBytes: 0, connections: 0 },
    ]),
  );
  try {
    for (let turn = 0; turn < rounds; turn++) {
      for (const contestant of contestants) {
        const folder = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
        try {
          process.stderr.write(`round ${turn + 1} of ${rounds}: ${contestant.name} … `);
          const crawl = () =>
            runCommand(contestant.command(server.url, folder), {
              cwd: folder,
              ...(contestant.env && { env: contestant.env }),
            });
          if (contestant.again) {
            await crawl();
            await server.takeCounts();
          }
          const run = await crawl();
          process.stderr.write(`${run.seconds.toFixed(1)} s, ${run.cpuSeconds.toFixed(1)} s of processor\n`);
          const counts = await server.takeCounts();
          checkWhole(contestant, counts, pages);
          const kept = runs.get(contestant.name);
          kept?.seconds.push(run.seconds);
          kept?.cpuSeconds.push(run.cpuSeconds);
          if (kept) {
            kept.connections = counts.connections;
            kept.warcBytes = await bytesBelow(folder, '.warc.gz');
          }
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }
    }
  } finally {
    server.close();
  }
  return new Map([...runs].map(([name, run]) => [name, { name, pages, ...run }]));
}

/**
 * The same with all of them at once, each on its own server: on a shared machine, whatever disturbs one disturbs the
 * others. For processor time; wall-clock time is then meaningless.
 */
export async function contestAtOnce(
  site: SiteName,
  pages: number,
  rounds: number,
  contestants: readonly Contestant[],
): Promise<ReadonlyMap<string, Result>> {
  const results: ReadonlyMap<string, Result>[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    // The first to start finds the machine idle for a moment.
    const order = turn % 2 === 0 ? contestants : [...contestants].reverse();
    const runs = await Promise.all(order.map((one) => contest(site, pages, 1, [one])));
    results.push(new Map(runs.flatMap((run) => [...run])));
  }
  const all = ({ name }: Contestant): Result => {
    const mine = results.map((round) => round.get(name) as Result);
    return {
      ...(mine.at(-1) as Result),
      seconds: mine.flatMap(({ seconds }) => seconds),
      cpuSeconds: mine.flatMap(({ cpuSeconds }) => cpuSeconds),
    };
  };
  return new Map(contestants.map((one) => [one.name, all(one)]));
}

function checkWhole({ name, everyFile }: Contestant, counts: Counts, pages: number): void {
  if (counts.pages !== pages) throw new Error(`${name} fetched ${counts.pages} of ${pages} pages`);
  if (everyFile && counts.files !== pages * 3 + 3)
    throw new Error(`${name} fetched ${counts.files} of ${pages * 3 + 3} files`);
}

export function resultRow({ name, pages, seconds, cpuSeconds, warcBytes, connections }: Result) {
  return {
    crawler: name,
    'pages/s': round(pages / median(seconds)),
    'ms of processor per page': round((median(cpuSeconds) * 1000) / pages, 2),
    connections,
    'MB of WARC': warcBytes === 0 ? 'none' : round(warcBytes / 1e6),
  };
}

/** How many times as fast as the peer: the median over the rounds, by wall-clock or by processor time. */
export function timesAsFast(ours: Result, theirs: Result, by: 'seconds' | 'cpuSeconds' = 'seconds'): number {
  return median(ours[by].map((value, turn) => (theirs[by][turn] ?? Number.NaN) / value));
}

/** Ratios by wall-clock time with their aim, and by processor time, which is valid on a busy machine too. */
export function compare(
  results: ReadonlyMap<string, Result>,
  ours: string,
  theirs: string,
  aim: number | undefined,
): Ratio[] {
  const [a, b] = [results.get(ours), results.get(theirs)];
  if (!a || !b) return [];
  return [
    {
      what: `${ours} against ${theirs}, pages/s`,
      value: timesAsFast(a, b),
      ...(aim !== undefined && { aim }),
    },
    {
      what: `${ours} against ${theirs}, pages per second of processor`,
      value: timesAsFast(a, b, 'cpuSeconds'),
    },
  ];
}
