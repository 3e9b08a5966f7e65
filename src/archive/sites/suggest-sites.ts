import { getDomain } from 'tldts';
import { captureResolver } from '../../access/resolve-capture.ts';
import { storedAnswer } from '../../access/stored-answers.ts';
import { parseHtmlTree } from '../../capture/html/html-tree.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { HOSTS_AS_SITES, readSitePart, type SiteRule } from '../../model/site-bounds.ts';
import {
  areOneSite,
  type DirectoryGroup,
  type HostPair,
  type HostWeb,
  joined,
  linkedPairs,
  separateDirectories,
  topDirectories,
} from '../../science/importance/suggest-sites.ts';
import { commonSkeleton, likeness, skeletonOf } from '../../science/layout/skeleton.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { type LinkedWeb, readLinkedWeb } from './linked-web.ts';

export interface SiteSuggestion {
  readonly rule: SiteRule;
  /** In sentences. */
  readonly evidence: readonly string[];
}

/** Rules that the archived pages support and that the archive does not have yet. */
export async function suggestSites(archive: OpenArchive): Promise<readonly SiteSuggestion[]> {
  const { catalog } = archive;
  // By host, whatever the rules of the archive are: rules are what is being looked for.
  const names = new Map<string, string>();
  const directories: string[] = [];
  const web = await readLinkedWeb({ ...catalog, siteBounds: () => HOSTS_AS_SITES }, (page, url) => {
    // Each stored once, as a copy: V8 would keep the text of every URL alive that a substring was cut from.
    const name = topDirectories(new URL(url).pathname);
    const kept = names.get(name) ?? Buffer.from(name).toString();
    names.set(kept, kept);
    directories[page] = kept;
  });
  const hosts: HostWeb = { ...web, directories };
  const known = new Set(catalog.siteBounds().rules.flat());
  const isKnown = ({ rule }: SiteSuggestion): boolean => rule.every((part) => known.has(part));
  return [
    ...(await severalHosts(hosts, web, archive)),
    ...separateDirectories(hosts).flatMap(directoryRule),
  ].filter((one) => !isKnown(one));
}

async function severalHosts(
  hosts: HostWeb,
  web: LinkedWeb,
  archive: OpenArchive,
): Promise<readonly SiteSuggestion[]> {
  const agreed: (HostPair & { readonly alike: number })[] = [];
  for (const pair of linkedPairs(hosts)) {
    const [a, b] = pair.hosts;
    if (domainOf(a) !== domainOf(b)) continue;
    const [there, back] = pair.pages;
    const alike = likeness(await template(there, web, archive), await template(back, web, archive));
    if (areOneSite(pair, alike)) agreed.push({ ...pair, alike });
  }
  const pages = new Map<string, number>();
  for (const [page, site] of web.siteOf.entries()) {
    if (web.isRead[page] !== 1) continue;
    const host = web.names[site] as string;
    pages.set(host, (pages.get(host) ?? 0) + 1);
  }
  return joined(agreed.map(({ hosts: pair }) => pair)).map((group) => ({
    // The largest host names the site.
    rule: group.toSorted((a, b) => (pages.get(b) ?? 0) - (pages.get(a) ?? 0) || (a < b ? -1 : 1)),
    evidence: agreed.filter(({ hosts: [a] }) => group.includes(a)).map(pairWords),
  }));
}

const pairWords = ({ hosts: [a, b], links: [there, back], alike }: HostPair & { alike: number }): string =>
  `${percent(there)} of the pages of ${a} link to ${b}, ${percent(back)} back; their templates agree to ${percent(alike)}`;

function directoryRule({ host, prefix, ...group }: DirectoryGroup): readonly SiteSuggestion[] {
  const part = readSitePart(`${host}${prefix}*`);
  if (part === undefined) return [];
  const { directories: count, pages, inside, across } = group;
  const evidence = `${count} directories, ${pages} pages: ${percent(inside)} of their links to ${host} stay in the directory, ${percent(across)} lead to another of them`;
  return [{ rule: [part], evidence: [evidence] }];
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** The registrable domain; an address, or a name without public suffix, is its own. */
function domainOf(host: string): string {
  const { hostname } = new URL(`http://${host}/`);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** What these pages have in common. */
async function template(
  pages: readonly number[],
  { urlsOf }: LinkedWeb,
  { catalog, reader }: OpenArchive,
): Promise<ReadonlySet<string>> {
  const resolver = captureResolver(catalog, reader);
  const pageReader = createPageReader();
  const skeletons: ReadonlySet<string>[] = [];
  for (const url of await urlsOf(pages)) {
    const found = await resolver.resolve(url, systemClock.now());
    if (found.kind !== 'found') continue;
    const { capture } = found;
    const html = await pageReader.readSource({ url: capture.fact.url, response: storedAnswer(capture) });
    await capture.payload.release();
    if (html !== undefined) skeletons.push(skeletonOf(parseHtmlTree(html)));
  }
  return commonSkeleton(skeletons);
}
