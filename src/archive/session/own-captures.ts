import type { CaptureFact } from '../../model/capture.ts';
import { isPrivate } from '../../model/private-capture.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog, CaptureQuery } from '../../ports/catalog.ts';

/**
 * The catalog as a crawl may use it. A crawl that is not private never sees what a private one captured; otherwise its
 * conditional requests, revisits, templates and deltas would reveal it. A private crawl compares with what was seen
 * with secrets, and may refer to any payload.
 */
export async function ownCaptures<C extends CaptureCatalog & WarcFileCatalog>(
  catalog: C,
  isOfPrivateCrawl: boolean,
): Promise<C> {
  const hasPrivate = (await catalog.warcFiles()).some(isPrivate);
  if (!hasPrivate && !isOfPrivateCrawl) return catalog;
  const isOwn = (fact: CaptureFact): boolean => isPrivate(fact) === isOfPrivateCrawl;
  const secrecy = isOfPrivateCrawl ? 'private' : 'public';
  const own: Partial<CaptureCatalog> = {
    originals: (sha256) => catalog.originals(sha256, secrecy),
    validators: (url) => catalog.validators(url, secrecy),
    async *captures(query: CaptureQuery) {
      for await (const fact of catalog.captures(query)) if (isOwn(fact)) yield fact;
    },
    async closest(url, at) {
      const nearest = await catalog.closest(url, at);
      return !nearest || isOwn(nearest) ? nearest : nearestOf(catalog.captures({ url }), at, isOwn);
    },
  };
  return new Proxy(catalog, {
    get(target, name) {
      if (name in own) return Reflect.get(own, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

interface WarcFileCatalog {
  warcFiles(): Promise<readonly { readonly file: string }[]>;
}

/** At equal distance, the earlier one. */
async function nearestOf(
  facts: AsyncIterable<CaptureFact>,
  at: Millis,
  isOwn: (fact: CaptureFact) => boolean,
): Promise<CaptureFact | undefined> {
  let nearest: CaptureFact | undefined;
  for await (const fact of facts)
    if (isOwn(fact) && (!nearest || Math.abs(fact.at - at) < Math.abs(nearest.at - at))) nearest = fact;
  return nearest;
}
