/**
 * One round of a watch over many pages: `npx tsx bench/watch-tick.ts [--json] [--rounds N] [sizes…]`.
 *
 * A round is the plan as `watch` makes it (forced pages, audits, the price of the bank, all pages on one scale), with a budget of a
 * hundredth of the pages an hour, and learning from what its visits found. Pages are in sites of a thousand, ten directories each, with
 * rates from once a month to once an hour; as many as change are found changed. For comparison, turn by turn in the same process, one
 * `Math.exp` for each page: both vary with the machine, their ratio does not. Each size runs in its own process, so that its memory is its
 * own.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stream } from '../src/lab/newspaper/random.ts';
import type { PlannedVisit, WatchedPage } from '../src/model/watch.ts';
import { refreshPolicy } from '../src/science/policy/refresh/policies.ts';
import { observeVisit } from '../src/science/policy/watch/observe-visit.ts';
import { plan } from '../src/science/policy/watch/plan.ts';
import { newWatchState } from '../src/science/policy/watch/watch-state.ts';
import { median, print, round } from './figures.ts';
import { cpuMillis, inOwnProcess } from './own-process.ts';

interface Figures {
  readonly pages: number;
  /** Milliseconds of processor time, medians over the rounds. */
  readonly planMillis: number;
  readonly learnMillis: number;
  readonly expMillis: number;
  readonly visits: number;
  /** Resident memory, including the pages' own addresses. */
  readonly megabytes: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PAGES_A_SITE = 1000;
const PAGES_A_DIRECTORY = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    one: { type: 'string' },
  },
});

function makePages(size: number): WatchedPage[] {
  const random = stream('watch-tick');
  return Array.from({ length: size }, (_, page) => {
    const site = `site-${Math.floor(page / PAGES_A_SITE)}.example`;
    const observations = 20 + random.int(200);
    return {
      url: `https://${site}/${Math.floor((page % PAGES_A_SITE) / PAGES_A_DIRECTORY)}/${page}.html`,
      site,
      weight: random.next(),
      lastVisit: -random.int(30) * DAY,
      observations,
      changes: Math.floor(observations * random.next() ** 3),
    };
  });
}

function measure(size: number, rounds: number): Figures {
  const pace = size / 100;
  const state = newWatchState(makePages(size), { now: 0, round: 1, pace });
  const settings = { budget: { requestsPerHour: pace }, policy: refreshPolicy('expected-gain') };
  const random = stream('finds');
  const input = Float32Array.from({ length: size }, (_, page) => (page % 1000) / 500);
  const output = new Float32Array(size);
  const times = { plan: [] as number[], learn: [] as number[], exp: [] as number[] };
  let visits: readonly PlannedVisit[] = [];
  for (let turn = 0; turn <= rounds; turn++) {
    const now = (turn + 1) * HOUR;
    const planned = cpuMillis(() => {
      visits = plan(state, settings, { now }).visits;
    });
    const learnt = cpuMillis(() => {
      for (const { url, kind } of visits) {
        const isChanged = random.next() < 0.3;
        observeVisit(state, {
          ...{ url, kind, at: now, requests: 1, bytes: 30_000, signals: [] },
          ...(isChanged
            ? { outcome: 'changed', importance: random.next() }
            : { outcome: 'unchanged', importance: 0 }),
        });
      }
    });
    const exp = cpuMillis(() => {
      for (let page = 0; page < size; page++) output[page] = Math.exp(-(input[page] as number));
    });
    // The first turn warms up the compiler.
    if (turn === 0) continue;
    times.plan.push(planned);
    times.learn.push(learnt);
    times.exp.push(exp);
  }
  return {
    pages: size,
    planMillis: median(times.plan),
    learnMillis: median(times.learn),
    expMillis: median(times.exp),
    visits: visits.length,
    megabytes: process.memoryUsage().rss / 1e6,
  };
}

if (values.one !== undefined) {
  process.stdout.write(JSON.stringify(measure(Number(values.one), Number(values.rounds))));
} else {
  const results = (positionals.length > 0 ? positionals : ['100000', '1000000']).map((size) =>
    inOwnProcess<Figures>(fileURLToPath(import.meta.url), size, values.rounds),
  );
  const perPage = ({ planMillis, pages }: Figures): number => (1e6 * planMillis) / pages;
  const [smallest] = results;
  print(
    {
      title: 'One round of a watch: planned over all pages, a hundredth of them visited and learnt from',
      rows: results.map((each) => ({
        pages: each.pages,
        'plan, ms of processor': round(each.planMillis),
        'ns per page': round(perPage(each)),
        visits: each.visits,
        'learning, µs per visit': round((1000 * each.learnMillis) / each.visits),
        'one exp per page, ms': round(each.expMillis),
        'memory, MB': round(each.megabytes),
      })),
      ratios: results.flatMap((each) =>
        smallest && each !== smallest
          ? [
              {
                what: `plan, time per page, ${each.pages} against ${smallest.pages}`,
                value: perPage(each) / perPage(smallest),
                aim: 1.3,
                atMost: true,
              },
            ]
          : [],
      ),
      notes: [],
    },
    values.json,
  );
}
