/**
 * The whole recrawl on the newspaper, whose every change is known: `npx tsx bench/skip-by-rules.ts [--json] [--size small]
 * [--train 12] [--days 30] [--miss-at-most 5%,20%,40%] [--seed 7] [--keep DIR]
 * [--weights-only] [--pages DIR] [--references 24]`.
 *
 * With `--pages`, instead: a site of real HTML pages from a folder (sites/real-pages.ts), `--days` crawls of it through Chromium,
 * all with `--skip-by-rules`, compared with the changes that were made to it; and how long each plan took.
 *
 * One capture a day into an archive that takes all pages each time, and into one with `--skip-by-rules` for each `--miss-at-most`:
 * a plan that may miss nothing at 5% must visibly miss something at 40%. After `--train` days they are measured against the truth:
 * requests, pages changed since their last visit, those among them that were not visited, and the share of their importance. Then
 * plain against weighted degree of change, from the truth alone: directories skipped in the order of their rate, by pages changed
 * or by the importance of the changes, at equal shares of pages.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CRAWL_SETTINGS, crawlSpec } from '../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../src/archive/crawl/run-crawl.ts';
import { openForWriting } from '../src/archive/open/open-archive.ts';
import {
  createNewspaper,
  fastClock,
  type Newspaper,
  type NewspaperOptions,
  startNewspaper,
} from '../src/lab/newspaper/index.ts';
import { sitePath } from '../src/science/evolution/site-path.ts';
import { type Cell, median, print, round } from './figures.ts';
import { measureRealPages } from './skip-real-pages.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    size: { type: 'string', default: 'small' },
    train: { type: 'string', default: '12' },
    days: { type: 'string', default: '30' },
    'miss-at-most': { type: 'string', default: '5%' },
    seed: { type: 'string', default: '7' },
    keep: { type: 'string' },
    'weights-only': { type: 'boolean', default: false },
    pages: { type: 'string' },
    references: { type: 'string', default: '24' },
  },
});
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 2, 7);
/** Newspaper seconds per real second while a crawl runs. */
const SPEED = 60;
const [train, days] = [Number(values.train), Number(values.days)];

interface Measured {
  requests: number;
  visited: number;
  kept: number;
  changed: number;
  missed: number;
  importance: number;
  missedImportance: number;
  readonly blur: number[];
  planned: number;
}

const newWorld = (): Newspaper =>
  createNewspaper({ seed: Number(values.seed), start: START, size: values.size as NewspaperOptions['size'] });

/** Importance of what changed on a page in (from, to]; undefined if nothing did. */
function changeBetween(world: Newspaper, path: string, from: number, to: number): number | undefined {
  const since = world.versions(path, to).filter((version) => version.from > from);
  return since.length === 0 ? undefined : 1 - since.reduce((left, one) => left * (1 - one.importance), 1);
}

async function measure(missAtMost: string | undefined, folder: string): Promise<Measured> {
  const world = newWorld();
  const clock = fastClock({ start: START, speed: SPEED });
  const server = await startNewspaper({ world, clock: clock.now });
  const archive = await openForWriting({ archive: folder }, 'archive');
  const measured: Measured = {
    requests: 0,
    visited: 0,
    kept: 0,
    changed: 0,
    missed: 0,
    importance: 0,
    missedImportance: 0,
    blur: [],
    planned: 0,
  };
  const lastVisit = new Map<string, number>();
  try {
    for (let day = 0; day < days; day++) {
      clock.set(START + day * DAY);
      const spec = crawlSpec(
        CRAWL_SETTINGS.parse({
          seeds: [`${server.origin}/`],
          render: 'never',
          allowPrivate: true,
          delay: 0,
          perHost: 4,
          ...(missAtMost !== undefined && { skipByRules: true, missAtMost }),
        }),
      );
      const from = server.log.length;
      const startedAt = clock.now();
      const options = { spec, clock, restart: true, syncEvery: 600_000 };
      const report = await runCrawl(archive, { ...options, signal: new AbortController().signal });
      const asked = server.log.slice(from);
      const kept = (await archive.catalog.inferences({ crawlId: report.crawl }))
        .filter(({ state }) => state === 'inferred')
        .flatMap(({ urls }) => urls.map((url) => url.slice(server.origin.length)));
      if (day >= train) {
        const left = new Set(kept);
        for (const [path, seen] of lastVisit) {
          const importance = changeBetween(world, path, seen, startedAt);
          if (importance === undefined) continue;
          measured.changed++;
          measured.importance += importance;
          if (!left.has(path)) continue;
          measured.missed++;
          measured.missedImportance += importance;
        }
        measured.requests += asked.length;
        measured.visited += report.coverage.proven;
        measured.kept += kept.length;
        measured.blur.push(report.blur);
        if (kept.length > 0) measured.planned++;
      }
      for (const { path, at, version } of asked)
        if (version !== undefined && world.pages(at).length > 0) lastVisit.set(path, at);
      const pages = new Set(world.pages(clock.now()).map(({ path }) => path));
      for (const path of lastVisit.keys()) if (!pages.has(path)) lastVisit.delete(path);
    }
  } finally {
    await archive.close();
    await server.close();
  }
  return measured;
}

/** Plain and weighted order at equal bypass: the shares of changed pages and of importance that are missed. */
function weighing(bypass: number): { plain: [number, number]; weighted: [number, number] } {
  const world = newWorld();
  const sums = { plain: [0, 0] as [number, number], weighted: [0, 0] as [number, number] };
  const total = { changed: 0, importance: 0 };
  let changed = 0;
  let importance = 0;
  const rates = new Map<string, { plain: number; weighted: number }>();
  for (let day = 1; day < days; day++) {
    const [from, to] = [START + (day - 1) * DAY, START + day * DAY];
    const found = new Map<string, { pages: number; changed: number; importance: number }>();
    for (const { path } of world.pages(from)) {
      const { directory } = sitePath(path);
      const own = found.get(directory) ?? { pages: 0, changed: 0, importance: 0 };
      found.set(directory, own);
      own.pages++;
      const weight = changeBetween(world, path, from, to);
      if (weight === undefined) continue;
      own.changed++;
      own.importance += weight;
    }
    if (day > train) {
      const pages = [...found.values()].reduce((sum, own) => sum + own.pages, 0);
      for (const own of found.values()) {
        changed += own.changed;
        importance += own.importance;
      }
      for (const kind of ['plain', 'weighted'] as const) {
        const order = [...found].sort(
          ([a], [b]) => (rates.get(a)?.[kind] ?? 1) - (rates.get(b)?.[kind] ?? 1),
        );
        let left = 0;
        for (const [, own] of order) {
          if ((left + own.pages) / pages > bypass) continue;
          left += own.pages;
          sums[kind][0] += own.changed;
          sums[kind][1] += own.importance;
        }
      }
    }
    for (const own of found.values()) {
      total.changed += own.changed;
      total.importance += own.importance;
    }
    // The newest day has a weight of one fifth.
    for (const [directory, own] of found) {
      // A new directory is assumed to change, with the mean importance of changes so far.
      const before = rates.get(directory) ?? {
        plain: 1,
        weighted: total.importance / Math.max(1, total.changed),
      };
      rates.set(directory, {
        plain: 0.8 * before.plain + (0.2 * own.changed) / own.pages,
        weighted: 0.8 * before.weighted + (0.2 * own.importance) / own.pages,
      });
    }
  }
  const share = ([pages, weight]: [number, number]): [number, number] => [
    pages / changed,
    weight / importance,
  ];
  return { plain: share(sums.plain), weighted: share(sums.weighted) };
}

async function recrawls(): Promise<void> {
  const all = await measure(undefined, join(folder, 'all'));
  const skipping: { readonly missAtMost: string; readonly one: Measured }[] = [];
  for (const missAtMost of values['miss-at-most'].split(','))
    skipping.push({ missAtMost, one: await measure(missAtMost, join(folder, `skip-${missAtMost}`)) });
  const row = (what: string, one: Measured): Record<string, Cell> => ({
    crawls: what,
    requests: one.requests,
    'pages visited': one.visited,
    'pages left out': one.kept,
    'changed since their last visit': one.changed,
    missed: one.missed,
    'missed %': round((100 * one.missed) / Math.max(1, one.changed), 1),
    'missed importance %': round((100 * one.missedImportance) / Math.max(1e-9, one.importance), 1),
    'blur (median)': round(median(one.blur), 4),
  });
  print(
    {
      title: `Recrawls of the newspaper (${values.size}), days ${train + 1} to ${days}`,
      rows: [
        row('every page', all),
        ...skipping.map(({ missAtMost, one }) => row(`--skip-by-rules --miss-at-most ${missAtMost}`, one)),
      ],
      ratios: skipping.map(({ missAtMost, one }) => ({
        what: `requests, ${missAtMost} ÷ every page`,
        value: one.requests / all.requests,
      })),
      notes: skipping.map(
        ({ missAtMost, one }) =>
          `${missAtMost}: a plan left something out in ${one.planned} of ${days - train} crawls.`,
      ),
    },
    values.json,
  );
}

async function realPages(from: string): Promise<void> {
  for (const missAtMost of values['miss-at-most'].split(',')) {
    const told = await measureRealPages(from, missAtMost, join(folder, `real-${missAtMost}`), {
      crawls: days,
      references: Number(values.references),
    });
    print({ ...told, ratios: [] }, values.json);
  }
}

const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'daguerre-skip-')));
try {
  if (values.pages !== undefined) await realPages(values.pages);
  else if (!values['weights-only']) await recrawls();
  if (values.pages === undefined)
    print(
      {
        title: 'Plain against weighted degree of change, at equal bypass',
        rows: [0.3, 0.5, 0.7].map((bypass) => {
          const { plain, weighted } = weighing(bypass);
          const percent = (value: number): number => round(100 * value, 1);
          return {
            bypass,
            'plain: changes missed %': percent(plain[0]),
            'weighted: changes missed %': percent(weighted[0]),
            'plain: importance missed %': percent(plain[1]),
            'weighted: importance missed %': percent(weighted[1]),
          };
        }),
        ratios: [],
        notes: [],
      },
      values.json,
    );
} finally {
  if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
}
