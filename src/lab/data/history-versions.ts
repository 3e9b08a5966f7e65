/**
 * The versions of a site, from its history: its state at the end of each span since the first event. A span without
 * events is a version too, equal to the previous one.
 *
 * Contradictions are repaired, and counted: rows are sorted by time; a page that appears though it exists has changed;
 * one that changes though it does not exist has appeared; one that goes though it does not exist was never there.
 * Addresses that mean the same page (docs/lab.md) are one page.
 */
import { sitePath } from '../../science/evolution/site-path.ts';
import type { VersionPage } from '../../science/evolution/wd-diff.ts';
import type { HistoryEvent, SiteEvents } from './site-history.ts';

export interface HistoryPage extends VersionPage {
  /** In bytes. */
  readonly size: number;
}

export interface Repairs {
  /** Rows that came after a later row of the same page. */
  readonly outOfOrder: number;
  /** Paths that are a different spelling of a known page. */
  readonly otherSpellings: number;
  readonly appearedTwice: number;
  readonly changedWhileAbsent: number;
  readonly wentWhileAbsent: number;
}

export interface HistoryVersions {
  readonly count: number;
  /** Unix seconds; a version is the state just before its end. */
  endOf(version: number): number;
  readonly spansWithoutEvents: number;
  readonly repairs: Repairs;
  /** The pages of each version. */
  pages(): Iterable<readonly HistoryPage[]>;
}

/** More spans than this mean that their length was mistyped, e.g. seconds instead of days. */
const MOST_VERSIONS = 100_000;

/** `every`: seconds. */
export function historyVersions(history: SiteEvents, every: number): HistoryVersions {
  const [start] = history.times;
  const last = history.times.at(-1);
  if (start === undefined || last === undefined) throw new RangeError('the history has no events');
  const spanOf = (time: number): number => Math.floor((time - start) / every);
  const count = spanOf(last) + 1;
  if (count > MOST_VERSIONS)
    throw new RangeError(`${count} versions are too many (at most ${MOST_VERSIONS}): choose longer spans`);
  const { states, repairs } = repaired(history);
  const bySpan = new Map<number, State[]>();
  for (const state of states) {
    const span = spanOf(state.time);
    const others = bySpan.get(span);
    if (others) others.push(state);
    else bySpan.set(span, [state]);
  }
  return {
    count,
    endOf: (version) => start + (version + 1) * every,
    spansWithoutEvents: count - new Set(history.times.map(spanOf)).size,
    repairs,
    *pages() {
      const there = new Map<string, HistoryPage>();
      for (let span = 0; span < count; span++) {
        for (const { url, page } of bySpan.get(span) ?? [])
          if (page) there.set(url, page);
          else there.delete(url);
        yield [...there.values()];
      }
    },
  };
}

/** From this time on the page is in this state, or gone. */
interface State {
  readonly time: number;
  readonly url: string;
  readonly page: HistoryPage | undefined;
}

function repaired(history: SiteEvents): { readonly states: readonly State[]; readonly repairs: Repairs } {
  const repairs = {
    outOfOrder: history.outOfOrder,
    otherSpellings: 0,
    appearedTwice: 0,
    changedWhileAbsent: 0,
    wentWhileAbsent: 0,
  };
  const states: State[] = [];
  for (const { url, events, spellings } of pagesOf(history)) {
    repairs.otherSpellings += spellings - 1;
    let isThere = false;
    for (const { kind, time, size, digest } of events) {
      if (kind === 'A' && isThere) repairs.appearedTwice++;
      if (kind === 'M' && !isThere) repairs.changedWhileAbsent++;
      if (kind === 'D' && !isThere) {
        repairs.wentWhileAbsent++;
        continue;
      }
      isThere = kind !== 'D';
      // Without a digest, every event counts as new content.
      const page = isThere ? { url, digest: digest === '' ? String(time) : digest, size } : undefined;
      states.push({ time, url, page });
    }
  }
  return { states: states.sort((a, b) => a.time - b.time), repairs };
}

interface PageOfHistory {
  /** The first spelling seen. */
  readonly url: string;
  readonly events: readonly HistoryEvent[];
  readonly spellings: number;
}

function pagesOf({ pages }: SiteEvents): Iterable<PageOfHistory> {
  const byPath = new Map<string, PageOfHistory>();
  for (const [url, events] of pages) {
    const { directory, page } = sitePath(url);
    const path = directory + page;
    const same = byPath.get(path);
    byPath.set(
      path,
      same
        ? {
            url: same.url,
            events: [...same.events, ...events].sort((a, b) => a.time - b.time),
            spellings: same.spellings + 1,
          }
        : { url, events, spellings: 1 },
    );
  }
  return byPath.values();
}
