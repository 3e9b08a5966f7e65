/**
 * The plan of a crawl with `--skip-by-rules` on a large site, through the real catalog: `npx tsx bench/plan-site.ts [--json]
 * [--pages 100000] [--versions 20] [--per-directory 50] [--keep DIR]`.
 *
 * A catalog with this many pages and finished crawls is made, in which one directory in ten, and a few pages in the others,
 * change at each crawl; then another process opens it and plans, as a crawl does before its first page. Time and memory are
 * those of that process alone.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CRAWL_SETTINGS, crawlSpec } from '../src/archive/crawl/crawl-settings.ts';
import { createScope } from '../src/capture/scope.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import type { CaptureFact } from '../src/model/capture.ts';
import type { NewFrontierEntry } from '../src/model/crawl.ts';
import { Decisions } from '../src/model/decisions.ts';
import { siteOrder } from '../src/science/policy/site-order.ts';
import { inferDirectories } from '../src/stages/infer-directories.ts';
import { openPageRates } from '../src/stages/page-rates.ts';
import { print, round } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '100000' },
    versions: { type: 'string', default: '20' },
    'per-directory': { type: 'string', default: '50' },
    keep: { type: 'string' },
    plan: { type: 'string' },
  },
});
const [pages, versions, perDirectory] = [values.pages, values.versions, values['per-directory']].map(
  Number,
) as [number, number, number];
const SITE = 'example.org';
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5);
/** Rows per transaction. */
const BATCH = 2_000;

const spec = crawlSpec(
  CRAWL_SETTINGS.parse({
    seeds: [`https://${SITE}/`],
    skipByRules: true,
    missAtMost: '10%',
    order: 'breadth-first',
  }),
);
const directoryOf = (page: number): number => Math.floor(page / perDirectory);
const urlOf = (page: number): string =>
  `https://${SITE}/section-${directoryOf(page) % 40}/topic-${directoryOf(page)}/page-${page}.html`;

/** How many times the page had changed by this version. */
function revision(page: number, version: number): number {
  if (directoryOf(page) % 10 === 0) return version;
  return (page * 7919) % 997 === version ? 1 : 0;
}

async function made(path: string): Promise<void> {
  const catalog = await openSqliteCatalog(path);
  let offset = 0;
  const capture = (page: number, version: number, at: number): CaptureFact => {
    offset += 100;
    const sha256 = createHash('sha256')
      .update(`${page} ${revision(page, version)}`)
      .digest('hex');
    const isSame = version > 0 && revision(page, version) === revision(page, version - 1);
    return {
      url: urlOf(page),
      at,
      type: isSame ? 'revisit' : 'response',
      recordId: `<urn:uuid:${randomUUID()}>`,
      file: 'main-1-20260105000000-00000.warc.gz',
      offset,
      length: 100,
      method: 'GET',
      status: 200,
      mime: 'text/html',
      digest: { sha256, sha1: sha256.slice(0, 32).toUpperCase(), size: 5000 },
    };
  };
  const entry = (page: number): NewFrontierEntry => ({
    kind: 'page',
    url: urlOf(page),
    host: SITE,
    depth: 2,
    extraHops: 0,
    redirects: 0,
    rank: page,
    reason: 'link',
    isSeed: false,
  });
  for (let version = 0; version < versions; version++) {
    const startedAt = START + version * 7 * DAY;
    const crawl = await catalog.createCrawl('key', spec, startedAt);
    for (let from = 0; from < pages; from += BATCH) {
      const some = Array.from({ length: Math.min(BATCH, pages - from) }, (_, i) => from + i);
      const at = (page: number): number => startedAt + 1000 + page;
      const captures = some.map((page) => capture(page, version, at(page)));
      const nothing = { visits: [], denials: [], skips: [], fileLengths: new Map() };
      const discovered = version === 0 ? some.map(entry) : [];
      await catalog.commit({ ...nothing, crawlId: crawl.id, captures, discovered });
      if (version > 0) continue;
      const infos = some.map((page) => ({
        url: urlOf(page),
        finalUrl: urlOf(page),
        title: `Page ${page}`,
        status: 200,
        mime: 'text/html',
        at: at(page),
        depth: 2,
        reason: 'link',
        links: [],
        resources: {},
        facts: [],
      }));
      await catalog.index({ captures: [], pages: infos, fileLengths: new Map() });
    }
    await catalog.setCrawlState(crawl.id, 'finished', startedAt + DAY);
    process.stderr.write(`version ${version + 1} of ${versions}\n`);
  }
  await catalog.close();
}

interface Planned {
  readonly seconds: number;
  /** Processor time, since the machine may have other work. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
  readonly directories: number;
  readonly leftOut: number;
  readonly visited: number;
  readonly notes: readonly string[];
}

async function planned(path: string): Promise<Planned> {
  const catalog = await openSqliteCatalog(path);
  const startedAt = START + versions * 7 * DAY;
  const crawl = await catalog.createCrawl('next', spec, startedAt);
  const { skipByRules } = spec;
  if (!skipByRules) throw new Error('no rules');
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  const { inferred, discovered, notes } = await inferDirectories(
    SITE,
    { ...crawl, spec: { ...crawl.spec, skipByRules } },
    { now: startedAt, lastModified: new Map(), room: Number.POSITIVE_INFINITY },
    {
      catalog,
      decisions: new Decisions(),
      scope: createScope(spec),
      rates: await openPageRates([SITE], catalog),
      order: siteOrder('breadth-first'),
    },
  );
  const seconds = (performance.now() - before) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await catalog.close();
  return {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    directories: inferred.length,
    leftOut: inferred.reduce((sum, { urls }) => sum + urls.length, 0),
    visited: discovered.length,
    notes,
  };
}

if (values.plan !== undefined) process.stdout.write(JSON.stringify(await planned(values.plan)));
else {
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'daguerre-plan-')));
  try {
    const path = join(folder, 'catalog.sqlite');
    await made(path);
    const own = fileURLToPath(import.meta.url);
    const sizes = ['--pages', values.pages, '--versions', values.versions];
    const args = ['--import', 'tsx', own, '--plan', path, ...sizes];
    const told = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e9 });
    const { seconds, cpuSeconds, megabytes, directories, leftOut, visited, notes } = JSON.parse(
      told,
    ) as Planned;
    const row = {
      pages,
      versions,
      'seconds to plan': round(seconds, 1),
      'of the processor': round(cpuSeconds, 1),
      'MB at most': Math.round(megabytes),
      'directories left out': directories,
      'pages left out': leftOut,
      'pages visited': visited,
    };
    const ratios = [
      { what: 'seconds of the processor', value: cpuSeconds, aim: 60, atMost: true },
      { what: 'GB', value: megabytes / 1024, aim: 1, atMost: true },
    ];
    print({ title: 'Planning a crawl with --skip-by-rules', rows: [row], ratios, notes }, values.json);
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}
