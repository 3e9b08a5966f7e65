/**
 * Importance of the pages of a large web: `npx tsx bench/importance-scale.ts [--json] [--pages N] [--rounds R]`.
 *
 * An invented web of N pages with ten links each on average, by power laws (src/lab/importance/web-graph.ts), is drawn into memory.
 * OPIC runs on it, every page read R times in turn, and PageRank until a round moves less than 1e-6. The same with half the web, for
 * comparison. Each runs in its own process, so that its memory is its own: the peak of the process, graph and Node included. Drawing
 * the graph is not counted in the times.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { webGraph } from '../src/lab/importance/web-graph.ts';
import { stream } from '../src/lab/newspaper/random.ts';
import { type LinkGraph, linksOf } from '../src/science/importance/link-graph.ts';
import { Opic } from '../src/science/importance/opic.ts';
import { pageRank } from '../src/science/importance/page-rank.ts';
import { print, round } from './figures.ts';

type Method = 'opic' | 'page-rank';

interface Figures {
  readonly method: Method;
  readonly pages: number;
  readonly links: number;
  readonly rounds: number;
  /** Mean per round over all pages. */
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
  /** L1 distance of OPIC from PageRank. */
  readonly error?: number;
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '5' },
    one: { type: 'string' },
  },
});
const TOLERANCE = 1e-6;
/** Tolerance of the reference for OPIC: far below OPIC's own error. */
const REFERENCE_TOLERANCE = 1e-3;
/** Drawn for every ten that are kept: rows that name a page twice keep it once. */
const LINKS_DRAWN = 16;
const PAGES_A_SITE = 25;

function measure(method: Method, pages: number, rounds: number): Figures {
  const shape = { pages, sites: Math.ceil(pages / PAGES_A_SITE), linksPerPage: LINKS_DRAWN };
  const { graph } = webGraph(shape, stream(1, 'bench-importance').next);
  return method === 'opic' ? measureOpic(graph, rounds) : measurePageRank(graph);
}

function measureOpic(graph: LinkGraph, rounds: number): Figures {
  const opic = new Opic({ window: Number.POSITIVE_INFINITY });
  for (let page = 0; page < graph.pages; page++) opic.add();
  const times = timed(() => {
    for (let k = 0; k < rounds; k++)
      for (let page = 0; page < graph.pages; page++) opic.visit(page, linksOf(graph, page));
  });
  const figures = figuresOf('opic', graph, rounds, times);
  // After memory was measured: the reference is not part of the measurement.
  const rank = pageRank(graph, { tolerance: REFERENCE_TOLERANCE });
  let error = 0;
  for (let page = 0; page < graph.pages; page++)
    error += Math.abs(opic.importance(page) - (rank[page] as number));
  return { ...figures, error };
}

function measurePageRank(graph: LinkGraph): Figures {
  let rounds = 0;
  const times = timed(() => {
    pageRank(graph, {
      tolerance: TOLERANCE,
      onRound: (done) => {
        rounds = done;
      },
    });
  });
  return figuresOf('page-rank', graph, rounds, times);
}

function figuresOf(method: Method, graph: LinkGraph, rounds: number, times: Times): Figures {
  return {
    method,
    pages: graph.pages,
    links: graph.targets.length,
    rounds,
    wallSeconds: times.wall / rounds,
    cpuSeconds: times.cpu / rounds,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

interface Times {
  readonly wall: number;
  readonly cpu: number;
}

function timed(run: () => void): Times {
  const [start, before] = [performance.now(), process.cpuUsage()];
  run();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1e3, cpu: (user + system) / 1e6 };
}

function inOwnProcess(method: Method, pages: number): Figures {
  process.stderr.write(`${method}, ${pages} pages\n`);
  const args = ['--one', method, '--pages', String(pages), '--rounds', values.rounds];
  const { stdout, status } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), ...args],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`${method} over ${pages} pages ended with exit code ${status}`);
  return JSON.parse(stdout) as Figures;
}

const pages = Number(values.pages);
if (values.one !== undefined) {
  process.stdout.write(JSON.stringify(measure(values.one as Method, pages, Number(values.rounds))));
} else {
  const half = Math.round(pages / 2);
  const runs = (['opic', 'page-rank'] as const).map(
    (method) => [inOwnProcess(method, pages), inOwnProcess(method, half)] as const,
  );
  print(
    {
      title: 'Importance of a large web: OPIC and PageRank',
      rows: runs.flat().map((each) => ({
        method: each.method,
        pages: each.pages,
        links: each.links,
        rounds: each.rounds,
        'a round, s': round(each.wallSeconds, 2),
        'of processor, s': round(each.cpuSeconds, 2),
        'memory, MB': round(each.megabytes, 0),
        'L1 error': each.error === undefined ? '' : round(each.error, 4),
      })),
      ratios: runs.flatMap(([whole, halved]) => [
        {
          what: `${whole.method}, a round over ${pages} pages against ${half}, processor`,
          value: whole.cpuSeconds / halved.cpuSeconds,
          aim: 2.5,
          atMost: true,
        },
        {
          what: `${whole.method}, memory of ${pages} pages against ${half}`,
          value: whole.megabytes / halved.megabytes,
          aim: 2,
          atMost: true,
        },
        {
          what: `${whole.method}, memory of ${pages} pages, GB`,
          value: whole.megabytes / 1024,
          aim: 2,
          atMost: true,
        },
      ]),
      notes: [`PageRank ends when a round moves less than ${TOLERANCE}.`],
    },
    values.json,
  );
}
