import type { Millis } from '../../model/time.ts';
import { nearestMemento } from '../memento/nearest-memento.ts';
import { partsOfPage } from '../parts-of-page.ts';
import type { StoredArchive } from '../stored-layouts.ts';

/** Times of the parts that a replayed page is put together from. */
export interface PageSpan {
  readonly from: Millis;
  readonly to: Millis;
  /** Parts that were looked at, and those that are not in the archive. */
  readonly parts: number;
  readonly missing: number;
}

/** Parts looked at: a page with more of them is told by these. */
const MOST_PARTS = 200;

/** Of the capture of a page; undefined where it was not stored what the page loaded. */
export async function pageSpan(
  { catalog, reader }: StoredArchive,
  { url, at }: { readonly url: string; readonly at: Millis },
): Promise<PageSpan | undefined> {
  const loaded = await partsOfPage({ catalog, reader }, { url, at });
  if (!loaded) return undefined;
  let [from, to, missing] = [at, at, 0];
  const parts = loaded.slice(0, MOST_PARTS).map((part) => part.url);
  for (const part of parts) {
    const found = await nearestMemento(catalog, part, at);
    if (found) [from, to] = [Math.min(from, found.at), Math.max(to, found.at)];
    else missing++;
  }
  return { from, to, parts: parts.length, missing };
}
