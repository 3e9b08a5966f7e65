/** The part of `skip-by-rules.ts` that crawls real pages through Chromium. */
import { CRAWL_SETTINGS, crawlSpec } from '../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../src/archive/crawl/run-crawl.ts';
import { openForWriting } from '../src/archive/open/open-archive.ts';
import { fastClock } from '../src/lab/newspaper/index.ts';
import { siteOf } from '../src/model/site.ts';
import { planSite } from '../src/stages/stored/plan-site.ts';
import { sitePast } from '../src/stages/stored/site-history.ts';
import { type BenchResult, type Cell, median, round } from './figures.ts';
import { startRealPages } from './sites/real-pages.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 2, 7);

export async function measureRealPages(
  from: string,
  missAtMost: string,
  folder: string,
  { crawls, references }: { readonly crawls: number; readonly references: number },
): Promise<Omit<BenchResult, 'ratios'>> {
  const site = await startRealPages(from, references);
  const clock = fastClock({ start: START, speed: 1 });
  const archive = await openForWriting({ archive: folder }, 'archive');
  const spec = crawlSpec(
    CRAWL_SETTINGS.parse({
      ...{ seeds: [`${site.origin}/`], render: 'always', allowPrivate: true, delay: 0, perHost: 3 },
      ...{ skipByRules: true, missAtMost, sitemaps: false },
    }),
  );
  const { skipByRules: rules } = spec;
  if (!rules) throw new Error('no rules');
  const rows: Record<string, Cell>[] = [];
  const plans: number[] = [];
  /** Pages changed since they were last visited. */
  const due = new Set<string>();
  const sums = { changed: 0, missed: 0, kept: 0, requests: 0, whole: 0 };
  try {
    for (let crawl = 0; crawl < crawls; crawl++) {
      clock.set(START + crawl * DAY);
      if (crawl > 0) for (const path of site.become(crawl)) due.add(path);
      const before = site.asked.length;
      const signal = new AbortController().signal;
      const options = { spec, clock, restart: true, syncEvery: 600_000, signal };
      const report = await runCrawl(archive, options);
      const asked = new Set(site.asked.slice(before));
      const requests = site.asked.length - before;
      const kept = (await archive.catalog.inferences({ crawlId: report.crawl }))
        .filter(({ state }) => state === 'inferred')
        .flatMap(({ urls }) => urls.map((url) => url.slice(site.origin.length)));
      const missed = kept.filter((path) => due.has(path)).length;
      if (kept.length === 0) sums.whole = requests;
      else {
        sums.changed += due.size;
        sums.missed += missed;
        sums.kept += kept.length;
        sums.requests += requests;
        rows.push({ crawl: crawl + 1, requests, 'left out': kept.length, changed: due.size, missed });
      }
      const changed = due.size;
      for (const path of asked) due.delete(path);
      const began = performance.now();
      planSite(await sitePast(siteOf(site.origin), archive.catalog), {
        now: clock.now(),
        rules,
        seeds: spec.seeds,
      });
      plans.push(performance.now() - began);
      process.stderr.write(
        `crawl ${crawl + 1}: ${requests} requests, ${kept.length} left out, ${missed} of ${changed} missed\n`,
      );
    }
  } finally {
    await archive.close();
    await site.close();
  }
  const { whole, requests, changed, missed, kept } = sums;
  return {
    title: `${site.pages.length} real pages through Chromium, ${crawls} crawls with --miss-at-most ${missAtMost}`,
    rows,
    notes: [
      `${rows.length} crawls left something out: ${requests} requests where all pages are ${whole * rows.length} (${round(requests / Math.max(1, whole * rows.length), 2)} ×), ${kept} pages left out.`,
      `${changed} pages had changed since their last visit, ${missed} of them were missed (${round((100 * missed) / Math.max(1, changed), 1)} %).`,
      `Planning took ${round(median(plans), 0)} ms in the median, ${round(Math.max(...plans), 0)} at most.`,
    ],
  };
}
