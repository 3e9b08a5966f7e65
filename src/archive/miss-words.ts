import { actWords } from '../model/decision.ts';
import type { Millis } from '../model/time.ts';
import { type TellingArchive, whyIn } from './why.ts';
import { findingText } from './why-words.ts';

/**
 * How long a URL's words are kept, in milliseconds, and for how many URLs: a page asks for the same missing parts
 * again and again, and the log of a crawl is long.
 */
const KEPT = 60_000;
const MOST_KEPT = 200;

export type ExplainMiss = (url: string) => Promise<readonly string[]>;

export interface MissSources {
  readonly archive: () => Promise<TellingArchive>;
  readonly now: () => Millis;
  /** When a watch expects to visit the URL. */
  readonly nextVisit?: ((url: string) => Promise<Millis | undefined>) | undefined;
}

/** Why a URL is not in the archive, in sentences: what `daguerre why` knows, computed for one URL at a time. */
export function missWords({ archive, now, nextVisit }: MissSources): ExplainMiss {
  const kept = new Map<string, { readonly at: Millis; readonly words: Promise<readonly string[]> }>();
  let last: Promise<unknown> = Promise.resolve();
  return (url) => {
    const known = kept.get(url);
    if (known && now() - known.at < KEPT) return known.words;
    const words = last.then(async () => {
      const expected = await nextVisit?.(url).catch(() => undefined);
      return [...(await wordsOf(await archive(), url)), ...visitWords(expected)];
    });
    last = words.catch(() => {});
    kept.delete(url);
    kept.set(url, { at: now(), words });
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return words;
  };
}

const visitWords = (at: Millis | undefined): readonly string[] =>
  at === undefined ? [] : [`Its next visit is expected about ${new Date(at).toISOString()}.`];

async function wordsOf(archive: TellingArchive, url: string): Promise<readonly string[]> {
  const report = await whyIn(archive, url, undefined).catch(() => undefined);
  if (!report) return ['It was never archived here: it is no address of a page.'];
  const { captures, dropped, crawl, finding, decisions } = report;
  const lines: string[] = [];
  if (!captures) lines.push('It was never archived here.');
  if (dropped)
    lines.push(
      `${dropped.count} visits saw it, the last ${new Date(dropped.lastAt).toISOString()}, and what they saw was dropped to save room.`,
    );
  if (crawl && finding)
    // A round of a watch has no seeds.
    lines.push(
      `${crawl.seeds[0] === undefined ? 'The last round of the watch' : `The last crawl of ${crawl.seeds[0]}`} (${crawl.state}): ${findingText(finding)}`,
    );
  for (const { act, by, why } of decisions)
    lines.push(`Decided by ${by}: ${actWords(act)}${why ? ` (${why})` : ''}.`);
  return lines;
}
