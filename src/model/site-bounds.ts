import { siteOf } from './site.ts';

/**
 * A site that is not one host: parts that belong together, each a host or a directory of one (`inria.fr`,
 * `example.org/group/x`); the first names the site. A rule of one part that ends in `*` makes a site of each directory
 * whose name begins that way: `example.org/~*`. Parts are in the form that `readSitePart` returns.
 */
export type SiteRule = readonly string[];

/** Which URLs belong to which site: by default a host with its port, without `www.`, and otherwise what rules say. */
export interface SiteBounds {
  readonly rules: readonly SiteRule[];
  /** '' for a URL without a host, and for text that is not a URL. */
  siteOf(url: string): string;
  /** Hosts that pages of the site may lie on, without `www.`. */
  hostsOf(site: string): readonly string[];
  /** Prefixes of the site's URLs; `siteOf` tells which URLs with such a prefix do belong to it. */
  prefixesOf(site: string): readonly string[];
  /** Hosts whose pages belong to more than one site, without `www.`. */
  readonly divided: ReadonlySet<string>;
  /** Directories of the site's hosts that are other sites, as regular expressions over URLs. */
  othersWithin(site: string): readonly string[];
}

/** One part of a rule: what belongs to a site on one host. */
interface Area {
  readonly host: string;
  /** `/group/x` or, if open, `/group/`, `/~`; '' for a whole host. */
  readonly path: string;
  readonly isOpen: boolean;
  /** '' where the area is open: each directory then names its own site. */
  readonly site: string;
}

/** Normalises the spelling of a part; undefined for text that names neither a host nor a directory. */
export function readSitePart(text: string): string | undefined {
  const isOpen = text.endsWith('*');
  const given = (isOpen ? text.slice(0, -1) : text).trim().replace(/^https?:\/\//i, '');
  if (/[*?#\s@]/.test(given) || (isOpen && !given.includes('/'))) return undefined;
  let url: URL;
  try {
    url = new URL(`https://${given}`);
  } catch {
    return undefined;
  }
  const host = siteOf(url.href).replace(/:80$/, '');
  if (host === '') return undefined;
  const path = plainPath(url.pathname);
  return isOpen ? `${host}${path}*` : `${host}${path.replace(/\/+$/, '')}`;
}

export function siteBounds(rules: readonly SiteRule[]): SiteBounds {
  const areas = rules.flatMap(areasOf);
  const byHost = new Map<string, Area[]>();
  for (const area of areas) byHost.set(area.host, [...(byHost.get(area.host) ?? []), area]);
  // The innermost directory decides; at equal length, a named one before an open one.
  for (const own of byHost.values())
    own.sort((a, b) => b.path.length - a.path.length || Number(a.isOpen) - Number(b.isOpen));

  const areaOf = (url: string, host: string): string => {
    const own = byHost.get(host);
    if (!own) return host;
    const path = plainPath(new URL(url).pathname);
    for (const area of own) {
      const site = siteWithin(area, path);
      if (site !== undefined) return site;
    }
    return host;
  };
  const partsOf = (site: string): readonly Pick<Area, 'host' | 'path'>[] => {
    const named = areas.filter((area) => !area.isOpen && area.site === site);
    if (named.length > 0) return named;
    const at = site.indexOf('/');
    return [at < 0 ? { host: site, path: '' } : { host: site.slice(0, at), path: site.slice(at) }];
  };
  return {
    rules,
    siteOf: byHost.size === 0 ? siteOf : (url) => areaOf(url, siteOf(url)),
    hostsOf: (site) => [...new Set(partsOf(site).map(({ host }) => host))],
    prefixesOf: (site) =>
      partsOf(site).flatMap(({ host, path }) =>
        ['https://', 'http://'].flatMap((scheme) =>
          ['', 'www.'].map((www) => `${scheme}${www}${host}${path === '' ? '/' : path}`),
        ),
      ),
    divided: new Set(areas.flatMap(({ host, path }) => (path === '' ? [] : [host]))),
    othersWithin: (site) =>
      partsOf(site).flatMap(({ host, path }) =>
        (byHost.get(host) ?? [])
          .filter(
            (area) => area.site !== site && area.path.length > path.length && area.path.startsWith(path),
          )
          .map(
            (area) => `^https?://(www\\.)?${escaped(area.host + area.path)}${area.isOpen ? '[^/]' : '(/|$)'}`,
          ),
      ),
  };
}

/** The bounds without any rules. */
export const HOSTS_AS_SITES = siteBounds([]);

function areasOf(rule: SiteRule): Area[] {
  const [name = ''] = rule;
  return rule.map((part) => {
    const at = part.indexOf('/');
    const isOpen = part.endsWith('*');
    const host = at < 0 ? part : part.slice(0, at);
    const path = at < 0 ? '' : part.slice(at, isOpen ? -1 : undefined);
    return { host, path, isOpen, site: isOpen ? '' : name };
  });
}

function siteWithin({ host, path, isOpen, site }: Area, given: string): string | undefined {
  if (!isOpen) return path === '' || given === path || given.startsWith(`${path}/`) ? site : undefined;
  if (!given.startsWith(path)) return undefined;
  const end = given.indexOf('/', path.length);
  const name = given.slice(path.length, end < 0 ? undefined : end);
  // `/group/index.html` is a page beside the groups, `/group/x` most likely one of them.
  if (name === '' || (end < 0 && name.includes('.'))) return undefined;
  return `${host}${path}${name}`;
}

/** Home directories are spelled both ways. */
const plainPath = (path: string): string => path.replace(/%7e/gi, '~');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
