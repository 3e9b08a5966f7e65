import { textOf } from '../../model/body.ts';
import type { PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { Millis } from '../../model/time.ts';
import { nearestMemento } from '../memento/nearest-memento.ts';
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
  const fact = await catalog.closest(pageInfoUri(url), at);
  if (fact?.at !== at) return undefined;
  let info: Partial<PageInfo>;
  try {
    info = JSON.parse(await textOf((await reader.read(fact)).payload)) as Partial<PageInfo>;
  } catch {
    return undefined;
  }
  let [from, to, missing] = [at, at, 0];
  const parts = Object.keys(info.resources ?? {})
    .filter((part) => part !== url && /^https?:/i.test(part))
    .slice(0, MOST_PARTS);
  for (const part of parts) {
    const found = await nearestMemento(catalog, part, at);
    if (found) [from, to] = [Math.min(from, found.at), Math.max(to, found.at)];
    else missing++;
  }
  return { from, to, parts: parts.length, missing };
}
