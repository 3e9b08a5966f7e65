import { setTimeout as sleep } from 'node:timers/promises';
import { CRAWL_SETTINGS, crawlSpec } from '../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../src/archive/crawl/run-crawl.ts';
import { openForWriting } from '../src/archive/open/open-archive.ts';
import type { Clock } from '../src/ports/clock.ts';
import { type Pages, type SmallSite, startSite } from './e2e/small-site.ts';

export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 2, 2, 8);

export interface VisitedArchive {
  readonly archive: string;
  /** http://127.0.0.1:port, without a slash at the end. */
  readonly url: string;
}

export interface VisitOptions {
  /** Through a browser; not unless asked for. */
  readonly render?: boolean;
  /** Hours whose crawl ends with a certificate. */
  readonly certified?: ReadonlySet<number>;
  /** Bytes after which a record file is closed. */
  readonly rotateSize?: number;
  /** First hour; 0 unless given. */
  readonly from?: number;
  /** Where an earlier call listened. */
  readonly port?: number;
  /** `s3://bucket/prefix` that keeps the records. */
  readonly storage?: string;
}

/** An archive of one site, visited once for each of the editions, an hour apart: each visit is a crawl of its own. */
export async function visitEditions(
  archive: string,
  editions: readonly Pages[],
  { render = false, certified = new Set(), rotateSize, from = 0, port, storage }: VisitOptions = {},
): Promise<VisitedArchive> {
  const site: SmallSite = await startSite(editions[0] ?? {}, '127.0.0.1', port);
  let now = START + from * HOUR;
  const clock: Clock = {
    now: () => now++,
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => {}),
  };
  const open = await openForWriting({ archive, ...(storage !== undefined && { storage }) }, 'test');
  try {
    for (const [i, pages] of editions.entries()) {
      now = START + (from + i) * HOUR;
      site.become(pages);
      const isCertified = certified.has(from + i);
      const { revisit: _, ...spec } = crawlSpec(
        CRAWL_SETTINGS.parse({
          ...{ seeds: [`${site.url}/`], robots: false, allowPrivate: true, delay: 0, sitemaps: false },
          ...{ scopeType: 'host', render: render ? 'always' : 'never', workers: 1 },
        }),
      );
      await runCrawl(open, {
        spec: isCertified ? { ...spec, revisit: 'none' } : spec,
        clock,
        signal: new AbortController().signal,
        restart: true,
        syncEvery: 60_000,
        certify: isCertified,
        ...(rotateSize !== undefined && { rotateSize }),
      });
    }
  } finally {
    await open.close();
    await site.close();
  }
  return { archive, url: site.url };
}
