import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { Signal, SignalKind } from '../../model/watch.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { type RecordReader, storedResponse } from '../../ports/record-store.ts';

/** Pages remembered per source: a sitemap has at most 50,000. */
const REMEMBERED = 50_000;
/** Sources whose last reading is remembered. */
const SOURCES = 2_000;

/**
 * What feeds and sitemaps say of pages, reading by reading. An item is news if it was not there at the last reading, or
 * has a different date; at the first reading, only if it is dated after the page's own last visit.
 */
export class SourceReadings {
  readonly #last = new Map<string, ReadonlyMap<string, Millis | undefined>>();

  /** @param lastVisit of a page; undefined where it was never visited */
  news(
    source: { readonly url: string; readonly kind: SignalKind; readonly at: Millis },
    items: ReadonlyMap<string, Millis | undefined>,
    lastVisit: (url: string) => Millis | undefined,
  ): readonly Signal[] {
    const before = this.#last.get(source.url);
    this.#last.delete(source.url);
    this.#last.set(source.url, items);
    if (this.#last.size > SOURCES) this.#last.delete(this.#last.keys().next().value as string);
    const signals: Signal[] = [];
    for (const [url, dated] of items) {
      // A date in the future comes from a wrong clock, or is a lie: only the time of the reading is known.
      const changedAt = dated !== undefined && dated <= source.at ? dated : undefined;
      const isNews = before
        ? !before.has(url) || (dated !== undefined && before.get(url) !== dated)
        : lastVisit(url) === undefined || (changedAt !== undefined && changedAt > (lastVisit(url) as Millis));
      if (!isNews) continue;
      signals.push({
        kind: source.kind,
        source: source.url,
        url,
        heardAt: source.at,
        ...(changedAt !== undefined && { changedAt }),
      });
    }
    return signals;
  }
}

/**
 * The pages that a stored feed or sitemap names, with their dates; those beyond what a sitemap may hold are left out.
 */
export async function itemsOf(
  fact: CaptureFact,
  { reader, pageReader }: { readonly reader: RecordReader; readonly pageReader: PageReader },
): Promise<ReadonlyMap<string, Millis | undefined>> {
  const response = storedResponse(await reader.read(fact));
  if (!response) return new Map();
  const { pages, hints } = await pageReader.readSitemap({ url: fact.url, response });
  return new Map(pages.slice(0, REMEMBERED).map((url) => [url, hints?.get(url)?.lastModified]));
}
