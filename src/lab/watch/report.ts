/** `lab watch`: the living archive's loop and its rivals on the same truth with the same requests, seed by seed. */
import type { WatchSettings } from '../../loop/watch/watch.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import type { MeasuredCapture } from '../crawl/measure-capture.ts';
import { experiment } from '../experiment/experiment.ts';
import type { Table } from '../experiment/text-table.ts';
import { meanAndSpread } from '../policies/experiment.ts';
import { optimumOf } from './optimum.ts';
import { RIVALS } from './rival-watch.ts';
import { runWatch, type WatchResult } from './run-watch.ts';
import type { WatchedWeb } from './watched-web.ts';
import { breadthFirst, type WatchCaptures } from './whole-captures.ts';

export interface WatchInput {
  /** One per seed or window: a web, with its sources or without. */
  readonly webs: readonly {
    readonly name: string;
    readonly web: () => WatchedWeb;
    readonly settings: WatchSettings;
  }[];
  /** Requests per hour, in % of the pages that exist at the start. */
  readonly budgets: readonly number[];
  readonly objective: Objective;
  readonly rivals: boolean;
  /** Captures of the whole site between the rounds; rivals make them breadth-first. */
  readonly captures?: WatchCaptures;
}

export interface WatchRow {
  readonly budget: number;
  readonly policy: string;
  readonly perPage: number;
  readonly perPageSpread: number;
  readonly pooled: number;
  readonly pooledSpread: number;
  /** Hours from change to capture; absent for the optimum. */
  readonly delayMedian?: number;
  readonly delayP95?: number;
  readonly requests?: Readonly<Record<string, number>>;
  /** Captures of the whole site: how many, and their blur and sharp pages relative to their pages. */
  readonly captures?: {
    readonly count: number;
    readonly blur: number;
    readonly blurSpread: number;
    readonly sharp: number;
    readonly sharpSpread: number;
  };
}

export interface WatchReport {
  readonly objective: Objective;
  readonly runs: readonly string[];
  readonly rows: readonly WatchRow[];
}

export async function measureWatch({
  webs,
  budgets,
  objective,
  rivals,
  captures,
}: WatchInput): Promise<WatchReport> {
  const rows: WatchRow[] = [];
  for (const budget of budgets) {
    const results = new Map<string, WatchResult[]>();
    const limits: { readonly perPage: number; readonly pooled: number }[] = [];
    for (const { web, settings } of webs) {
      const known = web();
      const pages = known.known().filter(({ tells, weight }) => tells === undefined || weight > 0).length;
      const asked: WatchSettings = {
        ...settings,
        objective,
        budget: { requestsPerHour: (pages * budget) / 100 },
      };
      add(results, 'watch', await runWatch(known, asked, captures));
      limits.push(optimumOf(known, asked.budget.requestsPerHour));
      if (!rivals) continue;
      for (const rival of RIVALS)
        add(
          results,
          rival.name,
          await runWatch(rival.web(web()), rival.settings(asked), captures && breadthFirst(captures)),
        );
    }
    for (const [policy, list] of results) rows.push(rowOf(budget, policy, list));
    rows.push({ budget, policy: 'clairvoyant', ...spreadOf(limits) });
  }
  return { objective, runs: webs.map(({ name }) => name), rows };
}

function add(results: Map<string, WatchResult[]>, name: string, result: WatchResult): void {
  results.set(name, [...(results.get(name) ?? []), result]);
}

function spreadOf(list: readonly { readonly perPage: number; readonly pooled: number }[]) {
  const { mean, spread } = meanAndSpread(list.map(({ perPage, pooled }) => [perPage, pooled]));
  const [perPage = 0, pooled = 0] = mean;
  const [perPageSpread = 0, pooledSpread = 0] = spread;
  return { perPage, pooled, perPageSpread, pooledSpread };
}

function rowOf(budget: number, policy: string, list: readonly WatchResult[]): WatchRow {
  const mean = (of: (result: WatchResult) => number): number =>
    list.reduce((sum, result) => sum + of(result), 0) / list.length;
  const kinds = Object.keys(list[0]?.requests ?? {}) as (keyof WatchResult['requests'])[];
  return {
    budget,
    policy,
    ...spreadOf(list),
    delayMedian: mean(({ delay }) => delay.median),
    delayP95: mean(({ delay }) => delay.p95),
    requests: Object.fromEntries(kinds.map((kind) => [kind, mean(({ requests }) => requests[kind])])),
    ...capturesOf(list),
  };
}

/** Per run, since runs on one newspaper are alike. */
function capturesOf(list: readonly WatchResult[]): Pick<WatchRow, 'captures'> {
  const made = list.filter(({ captures }) => captures.length > 0);
  if (made.length === 0) return {};
  const { mean, spread } = meanAndSpread(
    made.map(({ captures }) => {
      const pages = captures.reduce((sum, one) => sum + one.pages, 0);
      const share = (of: (one: MeasuredCapture) => number): number =>
        captures.reduce((sum, one) => sum + of(one), 0) / Math.max(1, pages);
      return [share(({ blurTrue }) => blurTrue), share(({ sharpTrue }) => sharpTrue)];
    }),
  );
  const [blur = 0, sharp = 0] = mean;
  const [blurSpread = 0, sharpSpread = 0] = spread;
  const count = made.reduce((sum, { captures }) => sum + captures.length, 0) / made.length;
  return { captures: { count, blur, blurSpread, sharp, sharpSpread } };
}

export const watch = experiment<WatchInput, WatchReport>({
  name: 'watch',
  title: 'What the living archive captures, beside what others do with the same requests',
  method: "The archive's own loop under a clock that leaps, on webs whose every version is known.",
  measure: measureWatch,
  text: ({ objective, runs, rows }) => [
    `Objective ${objective}; ${runs.length} run${runs.length === 1 ? '' : 's'}: ${runs.join(', ')}. Requests per hour in % of the pages.`,
    tableOf(rows),
    ...(rows.some(({ captures }) => captures) ? [captureTable(rows)] : []),
  ],
  data: (report) => report,
});

const captureTable = (rows: readonly WatchRow[]): Table => ({
  title: 'Captures of the whole site: how many, blur a page, share of sharp pages, mean ± spread',
  header: ['budget', 'policy', 'captures', 'blur a page', 'sharp'],
  rows: rows.flatMap(({ budget, policy, captures }) =>
    captures
      ? [
          [
            `${budget} %`,
            policy,
            captures.count.toFixed(1),
            `${captures.blur.toFixed(3)} ± ${captures.blurSpread.toFixed(3)}`,
            `${captures.sharp.toFixed(3)} ± ${captures.sharpSpread.toFixed(3)}`,
          ],
        ]
      : [],
  ),
});

const tableOf = (rows: readonly WatchRow[]): Table => ({
  title: 'Weighted completeness, mean ± spread; hours from a change to its capture; requests in all by kind',
  header: ['budget', 'policy', 'per page', 'pooled', 'median', 'p95', 'requests'],
  rows: rows.map(({ budget, policy, perPage, perPageSpread, pooled, pooledSpread, ...row }) => [
    `${budget} %`,
    policy,
    `${perPage.toFixed(3)} ± ${perPageSpread.toFixed(3)}`,
    `${pooled.toFixed(3)} ± ${pooledSpread.toFixed(3)}`,
    row.delayMedian?.toFixed(1) ?? '',
    row.delayP95?.toFixed(1) ?? '',
    Object.entries(row.requests ?? {})
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${kind} ${Math.round(count)}`)
      .join(', '),
  ]),
});
