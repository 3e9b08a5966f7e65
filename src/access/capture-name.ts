import type { CaptureFact } from '../model/capture.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog, PageCatalog, PatternCatalog, SiteCatalog } from '../ports/catalog.ts';
import { formatTimestamp, LATEST } from './replay-url.ts';
import { urlVariants } from './url-variants.ts';

/** Which capture of a URL is meant. */
export type CaptureTime =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  /** The first capture inside: `2026-03` is a month, `20260301120000` a second. */
  | { readonly kind: 'period'; readonly from: Millis; readonly to: Millis; readonly text: string }
  /** The nearest one: `7d` ago. */
  | { readonly kind: 'moment'; readonly at: Millis };

export interface CaptureName {
  readonly url: string;
  readonly time: CaptureTime;
}

/** No capture has that name; the message says which ones there are. */
export class NoSuchCapture extends Error {
  override readonly name = 'NoSuchCapture';
}

export type NamingCatalog = CaptureCatalog &
  PageCatalog &
  Pick<PatternCatalog, 'versions'> &
  Pick<SiteCatalog, 'siteBounds'>;

/** Captures named in a message. */
const NAMED = 5;

/** The URL as it is archived and the time of the capture that is meant. Throws NoSuchCapture. */
export async function namedCapture(
  { url, time }: CaptureName,
  catalog: NamingCatalog,
): Promise<{ readonly url: string; readonly at: Millis }> {
  const stored = await archivedUrl(url, catalog);
  if (stored === undefined) throw new NoSuchCapture(await notArchived(url, catalog));
  if (time.kind !== 'period') {
    const at = time.kind === 'first' ? 0 : time.kind === 'last' ? LATEST : time.at;
    return { url: stored, at: (await catalog.closest(stored, at))?.at ?? at };
  }
  for await (const { at } of catalog.captures({ url: stored, from: time.from, to: time.to, limit: 1 }))
    return { url: stored, at };
  const nearest = await nearestCaptures(stored, time, catalog);
  const names = nearest.map(({ at }) => `${stored}@${formatTimestamp(at)}`);
  const { from, to } = time;
  const seen = await catalog.versions({ url: stored, since: from });
  const isDropped = seen.some(({ at, kept }) => !kept && at <= to);
  const why = isDropped ? ' any more: it was visited then, and that version was dropped to save room' : '';
  throw new NoSuchCapture(
    `there is no capture of ${stored} at ${time.text}${why}; the nearest:\n  ${names.join('\n  ')}`,
  );
}

/** The spelling under which a URL is archived: with the other scheme, with or without `www.`. */
export async function archivedUrl(url: string, catalog: NamingCatalog): Promise<string | undefined> {
  for (const variant of urlVariants(url)) {
    for await (const fact of catalog.captures({ url: variant, limit: 1 })) return fact.url;
  }
  return (await catalog.closest(url, LATEST))?.url;
}

async function nearestCaptures(
  url: string,
  { from, to }: { readonly from: Millis; readonly to: Millis },
  catalog: NamingCatalog,
): Promise<readonly CaptureFact[]> {
  const away = ({ at }: CaptureFact): number => (at < from ? from - at : at - to);
  let nearest: CaptureFact[] = [];
  for await (const fact of catalog.captures({ url })) {
    nearest.push(fact);
    if (nearest.length > NAMED) nearest = nearest.sort((a, b) => away(a) - away(b)).slice(0, NAMED);
  }
  return nearest.sort((a, b) => a.at - b.at);
}

async function notArchived(url: string, catalog: NamingCatalog): Promise<string> {
  const site = catalog.siteBounds().siteOf(url);
  const pages = await catalog.pages({ site, limit: NAMED });
  const others = pages.map((page) => `\n  ${page.url}`).join('');
  return (
    `${url} is not in the archive: 'daguerre archive ${url}' captures it` +
    (others && `. Of ${site} there are, among others:${others}`)
  );
}
