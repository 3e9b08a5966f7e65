/**
 * One scheduling tick over many pages: `npx tsx bench/tick.ts [--json] [--rounds N] [sizes…]`.
 *
 * A tick lets an hour pass (update), scores every page by expected-gain (index), takes the best hundredth (top M) and
 * learns from those visits. For comparison, in the same process and turn by turn, one `Math.exp` for each page over a
 * typed array: both vary with the machine, their ratio does not. Each size runs in its own process, so that its memory
 * is its own.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stream } from '../src/lab/newspaper/random.ts';
import { slotPlan } from '../src/science/patterns/slots.ts';
import { patternTable } from '../src/science/policy/refresh/pattern-table.ts';
import { refreshPolicy } from '../src/science/policy/refresh/policies.ts';
import { tick } from '../src/science/policy/refresh/policy.ts';
import {
  newState,
  observe,
  type PageKnowledge,
  type RefreshState,
} from '../src/science/policy/refresh/state.ts';
import { median, print, round } from './figures.ts';
import { cpuMillis, inOwnProcess } from './own-process.ts';

interface Figures {
  readonly pages: number;
  /** Milliseconds of processor time. */
  readonly tickMillis: number;
  readonly expMillis: number;
  /** Median over the rounds. */
  readonly ratio: number;
  readonly bytesPerPage: number;
}

const ROWS = 300;
/** Number of different pages; the state copies its input, so millions may share them. */
const KINDS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '9' },
    one: { type: 'string' },
  },
});

/** A few hundred patterns shared by all pages, whose rates range from once a month to once an hour. */
function makeState(size: number): RefreshState {
  const random = stream('tick');
  const plan = slotPlan('daily');
  const table = patternTable(
    Array.from({ length: ROWS }, () => ({
      plan,
      shape: Float64Array.from({ length: plan.slots }, () => 0.2 + 1.6 * random.next()),
      emphasis: Float64Array.from({ length: plan.slots }, () => 0.5 + random.next()),
    })),
  );
  const kinds = Array.from(
    { length: KINDS },
    (): PageKnowledge => ({
      weight: random.next(),
      row: random.int(ROWS),
      rate: 10 ** (-3 * random.next()),
      evidence: 20,
      importance: random.next(),
      visits: 100,
      unchanged: 50,
      watched: 2400,
    }),
  );
  const pages = Array.from({ length: size }, (_, page) => kinds[page % KINDS] as PageKnowledge);
  return newState(pages, { table, now: 0 });
}

function measure(size: number, rounds: number): Figures {
  const before = process.memoryUsage().arrayBuffers;
  const state = makeState(size);
  const held = process.memoryUsage().arrayBuffers - before;
  const policy = refreshPolicy('expected-gain');
  const input = Float32Array.from({ length: size }, (_, page) => (page % 1000) / 500);
  const output = new Float32Array(size);
  const budget = size / 100;
  const ticks: number[] = [];
  const exps: number[] = [];
  for (let turn = 0; turn <= rounds; turn++) {
    const took = cpuMillis(() => {
      const { pages } = tick(state, policy, state.now + 3600, budget);
      for (const page of pages) observe(state, page, { kind: 'unchanged' });
    });
    const exp = cpuMillis(() => {
      for (let page = 0; page < size; page++) output[page] = Math.exp(-(input[page] as number));
    });
    // The first turn warms up the compiler.
    if (turn === 0) continue;
    ticks.push(took);
    exps.push(exp);
  }
  return {
    pages: size,
    tickMillis: median(ticks),
    expMillis: median(exps),
    ratio: median(ticks.map((took, turn) => took / (exps[turn] as number))),
    // Includes the scores of a tick, which stay alive while its visits are made.
    bytesPerPage: held / size + Float32Array.BYTES_PER_ELEMENT,
  };
}

if (values.one !== undefined) {
  process.stdout.write(JSON.stringify(measure(Number(values.one), Number(values.rounds))));
} else {
  const sizes = positionals.length > 0 ? positionals : ['100000', '1000000', '10000000'];
  const results = sizes.map((size) =>
    inOwnProcess<Figures>(fileURLToPath(import.meta.url), size, values.rounds),
  );
  const perPage = ({ tickMillis, pages }: Figures): number => (1e6 * tickMillis) / pages;
  const [smallest] = results;
  print(
    {
      title: 'One scheduling tick: an hour passes, every page is scored, the best hundredth is visited',
      rows: results.map((each) => ({
        pages: each.pages,
        'tick, ms of processor': round(each.tickMillis),
        'ns per page': round(perPage(each)),
        'one exp per page, ms': round(each.expMillis),
        'bytes per page': round(each.bytesPerPage),
      })),
      ratios: results.flatMap((each) => [
        {
          what: `tick against one exp per page, ${each.pages} pages`,
          value: each.ratio,
          aim: 4,
          atMost: true,
        },
        ...(smallest && each !== smallest
          ? [
              {
                what: `tick, time per page, ${each.pages} against ${smallest.pages}`,
                value: perPage(each) / perPage(smallest),
                aim: 1.3,
                atMost: true,
              },
              {
                what: `the same in exps, which large arrays slow down too`,
                value: each.ratio / smallest.ratio,
                aim: 1.3,
                atMost: true,
              },
            ]
          : []),
        {
          what: `bytes per page, ${each.pages} pages`,
          value: each.bytesPerPage,
          aim: 200,
          atMost: true,
        },
      ]),
      notes: [],
    },
    values.json,
  );
}
