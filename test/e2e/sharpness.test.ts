import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReport } from '../../src/archive/crawl/crawl-report.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../src/archive/crawl/run-crawl.ts';
import { type OpenArchive, openForWriting } from '../../src/archive/open/open-archive.ts';
import { createPageReader } from '../../src/capture/page-reader.ts';
import { createNewspaper, type NewspaperServer, startNewspaper } from '../../src/lab/newspaper/index.ts';
import type { CapturedPage, SiteCapture } from '../../src/model/site-capture.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { exactPageBlur } from '../../src/science/sharpness/exact-blur.ts';
import { siteCapture } from '../../src/stages/site-capture.ts';
import { openRecordReader } from '../../src/warc/record-reader.ts';
import { type LeapingClock, leapingClock } from '../leaping-clock.ts';
import { temporaryFolder } from './daguerre.ts';

const HOUR = 3_600_000;
/** Monday, 2 March 2026, 07:00 UTC. */
const START = Date.UTC(2026, 2, 2, 7);
/** Between the crawler's clock at a request and the server's at the answer: one wait of the committer at most. */
const LATENCY = 1_000;

/** Bytes change with the page alone, so that a digest is a version. */
async function startPaper(clock: Clock): Promise<NewspaperServer> {
  const world = createNewspaper({ seed: 7, start: START, size: 'small' });
  return await startNewspaper({ world, clock: clock.now, ads: 'off', crawlDelay: 0 });
}

interface Captured {
  readonly report: CrawlReport;
  readonly capture: SiteCapture;
  /** Answers of the server to this crawl. */
  readonly log: NewspaperServer['log'];
}

async function captureOnce(
  archive: OpenArchive,
  paper: NewspaperServer,
  clock: Clock,
  settings: Readonly<Record<string, unknown>>,
): Promise<Captured> {
  const before = paper.log.length;
  const spec = crawlSpec(
    CRAWL_SETTINGS.parse({
      seeds: [`${paper.origin}/`],
      render: 'never',
      allowPrivate: true,
      delay: '60s',
      ...settings,
    }),
  );
  const signal = new AbortController().signal;
  const report = await runCrawl(archive, { spec, clock, signal, restart: true, syncEvery: HOUR });
  const reader = openRecordReader(archive.folder.warc);
  try {
    const { catalog } = archive;
    const crawl = (await catalog.crawls()).find(({ id }) => id === report.crawl);
    if (!crawl) throw new Error('the catalog has lost the crawl');
    const capture = await siteCapture(crawl, { catalog, reader, pageReader: createPageReader() });
    return { report, capture, log: paper.log.slice(before) };
  } finally {
    await reader.close();
  }
}

const pathOf = ({ url }: CapturedPage): string => new URL(url).pathname + new URL(url).search;

/** Answers to the requests for a page, in order: when, and which version. */
function answersFor(page: CapturedPage, log: NewspaperServer['log']) {
  return log.filter(({ path, version }) => path === pathOf(page) && version !== undefined);
}

/** Mean number of versions between what was live at a moment of the interval and what was captured, by adding up. */
function blurByTruth(
  paper: NewspaperServer,
  path: string,
  visits: readonly number[],
  capture: SiteCapture,
): number {
  const { startedAt, finishedAt } = capture;
  const versions = paper.world.versions(path, finishedAt);
  const versionAt = (time: number): number => versions.filter(({ from }) => from <= time).length;
  const steps = 2_000;
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    const time = startedAt + ((step + 0.5) * (finishedAt - startedAt)) / steps;
    const nearest = visits.reduce((a, b) => (Math.abs(b - time) < Math.abs(a - time) ? b : a));
    sum += Math.abs(versionAt(time) - versionAt(nearest));
  }
  return sum / steps;
}

describe('the living newspaper, captured on its own clock', { timeout: 240_000 }, () => {
  let clock: LeapingClock;
  let paper: NewspaperServer;
  let archive: OpenArchive;

  beforeAll(async () => {
    clock = leapingClock(START);
    paper = await startPaper(clock);
    archive = await openForWriting({ archive: await temporaryFolder() }, 'test');
  });
  afterAll(async () => {
    await archive.close();
    await paper.close();
  });

  it.each([
    ['adaptive-organ-pipe', 'blur'],
    ['adaptive-organ-pipe', 'sharp'],
    ['sharc-online', 'blur'],
    ['breadth-first', 'sharp'],
    ['sharc-offline', 'blur'],
  ])('--order %s --revisit %s => sharp just where the newspaper kept its version', async (order, revisit) => {
    const { capture, report, log } = await captureOnce(archive, paper, clock, { order, revisit });
    expect(capture.pages.length).toBeGreaterThan(60);
    let sharp = 0;
    let changed = 0;
    for (const page of capture.pages) {
      const [first, second] = answersFor(page, log);
      // Pages made for each request, such as a search, have no versions.
      if (!first || !second || !page.revisit) continue;
      const changes = paper.world
        .versions(pathOf(page), second.at)
        .filter(({ from }) => from > first.at && from <= second.at);
      expect([page.url, page.revisit.outcome]).toEqual([
        page.url,
        first.version === second.version ? 'same' : 'changed',
      ]);
      if (page.revisit.outcome === 'same') {
        expect(changes).toEqual([]);
        sharp++;
      } else changed++;
      for (const [request, answer] of [
        [page.visit, first],
        [page.revisit, second],
      ] as const) {
        expect(answer.at - request.at).toBeGreaterThanOrEqual(0);
        expect(answer.at - request.at).toBeLessThanOrEqual(LATENCY);
      }
    }
    expect(sharp).toBeGreaterThan(30);
    expect(changed).toBeGreaterThan(0);
    expect(report.sharp.strict).toBe(capture.pages.filter(({ revisit: r }) => r?.outcome === 'same').length);
  });

  it.each([
    'adaptive-organ-pipe',
    'sharc-online',
    'breadth-first',
    'depth-first',
    'hottest-first',
    'coldest-first',
    'sharc-offline',
  ])('--order %s => the exact blur of its visits is that of the newspaper, added up', async (order) => {
    const { capture, report } = await captureOnce(archive, paper, clock, { order });
    const { startedAt, finishedAt, pages } = capture;
    let exact = 0;
    let truth = 0;
    for (const page of pages) {
      const versions = paper.world.versions(pathOf(page), finishedAt);
      // Its first appearance too, for a page that was not there yet when the capture began.
      const changes = versions.map(({ from }) => from);
      exact += exactPageBlur(changes, [page.visit.at], [startedAt, finishedAt]);
      truth += blurByTruth(paper, pathOf(page), [page.visit.at], capture);
    }
    expect(truth).toBeGreaterThan(0.5);
    expect(Math.abs(exact - truth)).toBeLessThan(0.02 * truth + 0.05);
    expect(report.sharp).toEqual({ strict: 0, visible: 0, pages: pages.length });
    expect(report.blur).toBeGreaterThan(0);
  });
});

it('the clock is set back between visit and revisit => the crawl goes on, and such pages prove nothing', {
  timeout: 60_000,
}, async () => {
  const clock = leapingClock(START);
  const paper = await startPaper(clock);
  const archive = await openForWriting({ archive: await temporaryFolder() }, 'test');
  try {
    const requests = (): number => paper.log.filter(({ version }) => version !== undefined).length;
    const stepping: Clock = {
      now: () => clock.now() - (requests() > 110 ? 5 * HOUR : 0),
      sleep: clock.sleep,
    };
    const { capture, report } = await captureOnce(archive, paper, stepping, { revisit: 'blur', delay: '1s' });
    expect(report.state).toBe('finished');
    for (const { visit, revisit } of capture.pages)
      if (revisit) expect(revisit.at).toBeGreaterThanOrEqual(visit.at);
    expect(capture.pages.some(({ revisit }) => revisit === undefined)).toBe(true);
  } finally {
    await archive.close();
    await paper.close();
  }
});
