import type { Catalog } from '../../ports/catalog.ts';

/** The pages of a site as last seen. */
export interface SitePages {
  readonly site: string;
  /** By path with query, as `/a?b`. */
  readonly pages: ReadonlyMap<string, PathDigest>;
}

export interface PathDigest {
  readonly url: string;
  readonly sha256: string;
}

export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

export async function sitePages(site: string, catalog: Pick<Catalog, 'pageStandings'>): Promise<SitePages> {
  const pages = new Map<string, PathDigest>();
  for await (const { url, lastSha256 } of catalog.pageStandings(site))
    if (lastSha256 !== '') pages.set(pathOf(url), { url, sha256: lastSha256 });
  return { site, pages };
}
