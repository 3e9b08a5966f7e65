import { z } from 'zod';
import type { Millis } from '../../model/time.ts';
import { parseFeedDate } from './sitemap-date.ts';

/** Characters of a JSON feed that are read: it must be held in memory whole. */
export const JSON_FEED_LIMIT = 8 << 20;

const text = z.string().optional().catch(undefined);
const ITEM = z.looseObject({ url: text, external_url: text, date_modified: text, date_published: text });
const FEED = z.looseObject({ version: z.string().regex(/jsonfeed\.org/), items: z.array(z.unknown()) });

/** Items of a JSON Feed (1.0, 1.1) that have an address. Undefined if it is no such feed. */
export function jsonFeedItems(
  source: string,
): readonly { readonly url: string; readonly lastmod?: Millis }[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return undefined;
  }
  const feed = FEED.safeParse(value);
  if (!feed.success) return undefined;
  return feed.data.items.flatMap((one) => {
    const item = ITEM.safeParse(one).data;
    const url = item?.url ?? item?.external_url;
    if (url === undefined) return [];
    const date = item?.date_modified ?? item?.date_published;
    const lastmod = date === undefined ? undefined : parseFeedDate(date);
    return [{ url, ...(lastmod !== undefined && { lastmod }) }];
  });
}
