import type { CrawlSpec } from '../model/crawl.ts';
import { CaptureFault } from '../model/fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import type { NewId } from '../ports/ids.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { MissingAnswer } from '../science/answers/missing-page.ts';
import type { HostManners } from './courtesy.ts';

export interface MissingPages {
  /** `isNew`: it was asked for just now. */
  of(url: string): Promise<{ readonly missing: MissingAnswer | undefined; readonly isNew: boolean }>;
}

export interface MissingPagesOptions {
  readonly spec: CrawlSpec;
  readonly manners: HostManners;
  readonly ports: {
    readonly fetcher: Fetcher;
    readonly pageReader: PageReader;
    readonly clock: Clock;
    readonly newId: NewId;
  };
  /** Milliseconds between two requests to the host. */
  readonly pause: number;
  readonly signal: AbortSignal;
}

/** Bytes of an error page. */
const LONGEST = 1024 * 1024;

/**
 * What a host answers for an address that cannot exist. It is asked for when a page looks like an error page, once for each
 * origin as long as the process runs, after the pause that the host is due, and not where robots.txt forbids it.
 */
export function missingPages({ spec, manners, ports, pause, signal }: MissingPagesOptions): MissingPages {
  return {
    async of(url) {
      const { origin } = new URL(url);
      const known = manners.missing.get(origin);
      if (known) return { missing: await known, isNew: false };
      const asking = ask(origin);
      manners.missing.set(origin, asking);
      try {
        return { missing: await asking, isNew: true };
      } catch (error) {
        manners.missing.delete(origin);
        throw error;
      }
    },
  };

  async function ask(origin: string): Promise<MissingAnswer | undefined> {
    const url = `${origin}/${ports.newId()}`;
    const rules = manners.robots.get(origin)?.rules;
    if (spec.politeness.robots && !rules?.allows(url).allowed) return undefined;
    await ports.clock.sleep(pause, signal);
    try {
      const exchange = await ports.fetcher.fetch({
        url,
        userAgent: spec.politeness.userAgent,
        timeLimit: spec.limits.responseTime,
        sizeLimit: Math.min(spec.limits.responseSize, LONGEST),
        signal,
      });
      try {
        const { title, seen } = await ports.pageReader.read(exchange);
        return { url, status: exchange.response.status, title, text: seen?.().text ?? '' };
      } finally {
        await exchange.response.body.release();
      }
    } catch (error) {
      // Nothing can be told then; the page is taken for what it says it is.
      if (error instanceof CaptureFault) return undefined;
      throw error;
    }
  }
}
