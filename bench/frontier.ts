/**
 * The frontier at scale:
 * `npx tsx bench/frontier.ts [--json] [--links N] [--postgres URL] [--part frontier|commit] [sizes…]`.
 *
 * Each size runs in its own process, so that its peak memory is its own. A crawl of that many pages runs through
 * `pending` and `commit` as the loop does: the lowest 256 of a host are loaded, visited and committed a hundred at a
 * time, and each visit names 20 URLs of which most are known: its neighbours in the tree, the navigation, and pages
 * anywhere. Two parts: the frontier only (pending, discoveries, settlements, visits), and the whole commit, where each
 * visit also stores a capture, a page and its links.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPostgresCatalog } from '../src/catalog/engines/postgres.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import type { PageInfo } from '../src/model/capture.ts';
import type { CrawlSpec, FrontierEntry, NewFrontierEntry } from '../src/model/crawl.ts';
import type { Catalog, VisitCommit } from '../src/ports/catalog.ts';
import { print, type Ratio, round } from './figures.ts';

const BATCH = 100;
const WINDOW = 256;
const HOSTS = 4;
const START = 1_700_000_000_000;

const PARTS = { frontier: 'frontier only', commit: 'whole commit' } as const;
type Part = keyof typeof PARTS;

interface Figures {
  readonly part: Part;
  readonly urls: number;
  readonly seconds: number;
  readonly microsPerUrl: number;
  /** User and system processor time of all threads: the figure to compare on a busy machine. */
  readonly cpuMicrosPerUrl: number;
  readonly visitsPerSecond: number;
  /** Processor time per URL over the last tenth of the crawl. */
  readonly cpuMicrosAtEnd: number;
  readonly peakRssMb: number;
  readonly fileMb: number;
  readonly tallyMillis: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    links: { type: 'string', default: '20' },
    postgres: { type: 'string' },
    part: { type: 'string' },
    one: { type: 'string' },
  },
});

function inOwnProcess(size: string, part: Part): Figures {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), '--one', size, '--part', part];
  args.push('--links', values.links);
  if (values.postgres !== undefined) args.push('--postgres', values.postgres);
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the run with ${size} URLs ended with exit code ${status}`);
  return JSON.parse(stdout) as Figures;
}

async function measure(urls: number, links: number, part: Part): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
  const file = join(folder, 'catalog.sqlite');
  const schema = `daguerre_bench_${process.pid}`;
  const catalog =
    values.postgres === undefined
      ? await openSqliteCatalog(file)
      : await openPostgresCatalog(values.postgres, { schema });
  try {
    const meter = new Meter();
    const lastTenth = await crawl(catalog, urls, links, part, meter);
    const seconds = meter.millis / 1_000;
    const asked = performance.now();
    const { captured } = await catalog.tally(1);
    const tallyMillis = performance.now() - asked;
    if (captured !== urls) throw new Error(`${captured} of ${urls} URLs were settled`);
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    return {
      part,
      urls,
      seconds: round(seconds),
      microsPerUrl: round((seconds * 1e6) / urls),
      cpuMicrosPerUrl: round(meter.cpuMicros / urls),
      visitsPerSecond: Math.round(urls / seconds),
      cpuMicrosAtEnd: round((meter.cpuMicros - lastTenth) / (urls / 10)),
      peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      fileMb: Math.round(size / 1e6),
      tallyMillis: round(tallyMillis),
    };
  } finally {
    await catalog.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Time spent in the catalog, excluding what the bench needs to make up its pages. */
class Meter {
  millis = 0;
  cpuMicros = 0;

  async time<T>(call: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const before = process.cpuUsage();
    const result = await call();
    const { user, system } = process.cpuUsage(before);
    this.millis += performance.now() - begun;
    this.cpuMicros += user + system;
    return result;
  }
}

const hostOf = (n: number): string => `news${n % HOSTS}.example.org`;
const urlOf = (n: number): string =>
  `https://${hostOf(n)}/section-${n % 97}/2024/${n % 12}/a-story-with-a-title-of-common-length-${n}.html`;

/** A small generator of our own, so that every run walks the same web. */
function* numbers(): Generator<number, never> {
  for (let state = 42; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Returns the meter's reading at the start of the last tenth. */
async function crawl(
  catalog: Catalog,
  urls: number,
  links: number,
  part: Part,
  meter: Meter,
): Promise<number> {
  const random = numbers();
  const { id: crawlId } = await catalog.createCrawl('bench', {} as CrawlSpec, START);
  const empty = { crawlId, visits: [], denials: [], captures: [], discovered: [], skips: [] };
  const windows = new Map<string, FrontierEntry[]>();
  let known = HOSTS;
  let done = 0;
  let offset = 0;
  let lastTenth = 0;
  const candidate = (n: number, rank: number): NewFrontierEntry => ({
    url: urlOf(n),
    kind: 'page',
    host: hostOf(n),
    depth: 3,
    extraHops: 0,
    redirects: 0,
    rank,
    reason: 'breadth-first: depth 3',
    isSeed: n < HOSTS,
  });
  const seeds = Array.from({ length: HOSTS }, (_, n) => candidate(n, n));
  await catalog.commit({ ...empty, discovered: seeds, fileLengths: new Map() });

  while (done < urls) {
    const round: FrontierEntry[] = [];
    for (let h = 0; h < HOSTS; h++) {
      const host = hostOf(h);
      let waiting = windows.get(host) ?? [];
      if (waiting.length === 0)
        waiting = [...(await meter.time(() => catalog.pending(crawlId, host, WINDOW)))];
      round.push(...waiting.splice(0, BATCH / HOSTS));
      windows.set(host, waiting);
    }
    const visits = round.map((entry): VisitCommit => {
      const at = START + done * 10;
      const named: number[] = [];
      // Two new pages per page while there are any; the rest is navigation, neighbours and pages seen long ago.
      for (let i = 0; i < 2 && known < urls; i++) named.push(known++);
      while (named.length < links) {
        const pick = random.next().value;
        if (pick % 4 < 2) named.push((pick >>> 4) % Math.min(known, 200));
        else if (pick % 4 === 2) named.push(Math.max(0, known - 1 - ((pick >>> 4) % 2_000)));
        else named.push((pick >>> 4) % known);
      }
      const digest = createHash('sha256').update(entry.url).digest('hex');
      const length = 9_000;
      offset += length;
      const fact = {
        url: entry.url,
        at,
        type: 'response',
        recordId: `<urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-4000-8000-${digest.slice(12, 24)}>`,
        file: `bench-${Math.floor(offset / 1e9)}.warc.gz`,
        offset: offset % 1e9,
        length,
        method: 'GET',
        status: 200,
        mime: 'text/html',
        digest: { sha256: digest, sha1: digest.slice(0, 32).toUpperCase(), size: 30_000 },
        eventId: digest.slice(24, 60),
        etag: `"${digest.slice(0, 10)}"`,
      } as const;
      const page: PageInfo = {
        url: entry.url,
        finalUrl: entry.url,
        title: `A story with a title of common length ${done}`,
        status: 200,
        mime: 'text/html',
        at,
        depth: 3,
        reason: entry.reason,
        links: named.map(urlOf),
        resources: {},
        facts: [],
      };
      const outcome = 'captured';
      const item: VisitCommit = {
        visit: {
          url: entry.url,
          at,
          duration: 80,
          reason: entry.reason,
          outcome,
          status: 200,
          bytes: length,
        },
        settlement: { entryId: entry.id, state: outcome },
        captures: part === 'commit' ? [fact] : [],
        ...(part === 'commit' && { page }),
        discovered: named.slice(0, 20).map((n, i) => candidate(n, done + i / 1_000)),
        skips: [],
      };
      done++;
      return item;
    });
    await meter.time(() => catalog.commit({ ...empty, visits, fileLengths: new Map() }));
    if (lastTenth === 0 && done >= urls * 0.9) lastTenth = meter.cpuMicros;
  }
  return lastTenth;
}

const parts = (Object.keys(PARTS) as Part[]).filter((part) => part === (values.part ?? part));
if (parts.length === 0) throw new Error(`--part is 'frontier' or 'commit', not '${values.part}'`);
if (values.one !== undefined) {
  const [part = 'commit'] = parts;
  process.stdout.write(JSON.stringify(await measure(Number(values.one), Number(values.links), part)));
} else {
  const sizes = positionals.length > 0 ? positionals : ['10000', '100000', '1000000'];
  const results = parts.map((part) => sizes.map((size) => inOwnProcess(size, part)));
  print(
    {
      title: `The frontier, a page with ${values.links} links per URL, ${values.postgres === undefined ? 'SQLite' : 'PostgreSQL'}`,
      rows: results.flat().map(row),
      ratios: results.flatMap(([small, ...larger]) => (small ? larger.map((to) => growth(small, to)) : [])),
      notes: [],
    },
    values.json,
  );
}

function row(figures: Figures) {
  return {
    what: PARTS[figures.part],
    URLs: figures.urls,
    'µs per URL': figures.microsPerUrl,
    'µs of processor per URL': figures.cpuMicrosPerUrl,
    'in the last tenth': figures.cpuMicrosAtEnd,
    'peak memory, MB': figures.peakRssMb,
    'file, MB': figures.fileMb,
    'tally, ms': figures.tallyMillis,
  };
}

function growth(small: Figures, large: Figures): Ratio {
  const what = `${PARTS[large.part]}, processor time per URL, ${large.urls} against ${small.urls}`;
  return { what, value: large.cpuMicrosPerUrl / small.cpuMicrosPerUrl, aim: 1.3, atMost: true };
}
