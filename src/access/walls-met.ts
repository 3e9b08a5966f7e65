import type { Visit } from '../model/crawl.ts';
import { NOT_THE_PAGE } from '../model/fault.ts';
import type { ResultCatalog, SiteCatalog } from '../ports/catalog.ts';

/** A visit that met an answer which is not the page: nothing is known of the page at that time. */
export interface WallMet {
  readonly url: string;
  readonly at: number;
  readonly notThePage: { readonly kind: string; readonly detail: string };
}

export interface WallQuery {
  readonly url?: string | undefined;
  readonly site?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Newest first. */
export async function wallsMet(
  catalog: Pick<ResultCatalog, 'visits'> & Pick<SiteCatalog, 'siteBounds'>,
  { url, site, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: WallQuery,
): Promise<readonly WallMet[]> {
  const visits = await catalog.visits({ faults: NOT_THE_PAGE, ...(url !== undefined && { url }) });
  const { siteOf } = catalog.siteBounds();
  return visits.flatMap(({ url: page, at, fault }: Visit) =>
    fault && at >= since && at <= until && (site === undefined || siteOf(page) === site)
      ? [{ url: page, at, notThePage: fault }]
      : [],
  );
}

/** `3 visits met an answer that is not the page: 2 bot-wall, 1 captcha`. */
export function wallWords(walls: readonly WallMet[]): string {
  const counts = new Map<string, number>();
  for (const { notThePage } of walls) counts.set(notThePage.kind, (counts.get(notThePage.kind) ?? 0) + 1);
  const kinds = [...counts].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`);
  return `${walls.length} visit${walls.length === 1 ? '' : 's'} of these pages met an answer that is not the page: ${kinds.join(', ')}`;
}
