/**
 * Which hosts may be one site, and which directories of a host may be sites of their own, judging by the links of archived pages:
 * suggestions with their evidence, for a person to decide (French web 2002, § 3: borders of a site).
 *
 * Hosts of one registrable domain are joined where most pages of each link to the other, or where fewer do and their pages
 * are made from one template. Sibling directories are separated where hardly a link leads from one to another:
 * sections of one site link to each other from every page, home pages of many people do not.
 */
import { linksOf } from './link-graph.ts';
import type { SitesOfPages } from './site-importance.ts';

/** Its sites are hosts. */
export interface HostWeb extends SitesOfPages {
  readonly names: readonly string[];
  /** 1 for archived pages. */
  readonly isRead: Uint8Array;
  /** Directories that archived pages lie in, with their slashes, by page: only the first two levels count. */
  readonly directories: readonly (string | undefined)[];
}

/** Shares of pages, and of links. Chosen on made-up sites of both kinds; a person decides in the end. */
const HOSTS = { dense: 0.5, linked: 0.1, alike: 0.6 } as const;
const DIRECTORIES = { pages: 2, siblings: 3, people: 2, apart: 0.9, inside: 0.5, most: 0.8 } as const;

export interface HostPair {
  readonly hosts: readonly [string, string];
  /** Share of the archived pages of each that link to the other. */
  readonly links: readonly [number, number];
  /** The first of those pages: worth checking whether they are made from one template. */
  readonly pages: readonly [readonly number[], readonly number[]];
}

/** Number of pages that a pair names per host. */
const NAMED = 4;

/** Pairs of hosts with archived pages that link to each other both ways. */
export function linkedPairs({ graph, siteOf, names, isRead }: HostWeb): readonly HostPair[] {
  const pages = new Map<number, number>();
  const linking = new Map<string, { count: number; readonly first: number[] }>();
  for (let page = 0; page < graph.pages; page++) {
    if (isRead[page] !== 1) continue;
    const host = siteOf[page] as number;
    pages.set(host, (pages.get(host) ?? 0) + 1);
    const others = new Set(Array.from(linksOf(graph, page), (target) => siteOf[target] as number));
    for (const other of others) {
      if (other === host) continue;
      const known = linking.get(`${host} ${other}`) ?? { count: 0, first: [] };
      linking.set(`${host} ${other}`, known);
      known.count++;
      if (known.first.length < NAMED) known.first.push(page);
    }
  }
  const pairs: HostPair[] = [];
  for (const [key, there] of linking) {
    const [a = 0, b = 0] = key.split(' ').map(Number);
    const back = linking.get(`${b} ${a}`);
    if (a > b || back === undefined) continue;
    pairs.push({
      hosts: [names[a] as string, names[b] as string],
      links: [there.count / (pages.get(a) ?? 1), back.count / (pages.get(b) ?? 1)],
      pages: [there.first, back.first],
    });
  }
  return pairs;
}

/** `alike`: how similar the templates of the two are, in [0, 1]; undefined where nobody looked. */
export function areOneSite(
  { links: [there, back] }: Pick<HostPair, 'links'>,
  alike: number | undefined,
): boolean {
  const least = Math.min(there, back);
  return least >= HOSTS.dense || (least >= HOSTS.linked && (alike ?? 0) >= HOSTS.alike);
}

/** Hosts that are one site through some chain of pairs, in the order given. */
export function joined(pairs: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const groupOf = new Map<string, Set<string>>();
  for (const [a, b] of pairs) {
    const group = new Set([...(groupOf.get(a) ?? [a]), ...(groupOf.get(b) ?? [b])]);
    for (const host of group) groupOf.set(host, group);
  }
  return [...new Set(groupOf.values())].map((group) => [...group]);
}

export interface DirectoryGroup {
  readonly host: string;
  /** `/~` or `/group/`: what precedes the names of the directories. */
  readonly prefix: string;
  readonly directories: number;
  readonly pages: number;
  /** Of links from them to the host: the share that stays in the directory; and the share that leads to another of them. */
  readonly inside: number;
  readonly across: number;
}

interface Directory {
  pages: number;
  inside: number;
  across: number;
  rest: number;
}

/** Levels of a path at which directories may be sites. */
const LEVELS = 2;

/** Sibling directories that hardly link to each other. */
export function separateDirectories(web: HostWeb): readonly DirectoryGroup[] {
  const groups = new Map<string, Map<string, Directory>>();
  for (let page = 0; page < web.graph.pages; page++) {
    if (web.isRead[page] !== 1) continue;
    for (const { key, name } of placesOf(web, page)) {
      const group = groups.get(key) ?? new Map<string, Directory>();
      groups.set(key, group);
      const directory = group.get(name) ?? { pages: 0, inside: 0, across: 0, rest: 0 };
      group.set(name, directory);
      directory.pages++;
      for (const target of linksOf(web.graph, page)) {
        if (web.siteOf[target] !== web.siteOf[page] || web.isRead[target] !== 1) continue;
        const there = placesOf(web, target).find((place) => place.key === key);
        if (!there) directory.rest++;
        else if (there.name === name) directory.inside++;
        else directory.across++;
      }
    }
  }
  return [...groups].flatMap(([key, group]) => verdict(key, group, web));
}

function verdict(key: string, group: ReadonlyMap<string, Directory>, { names }: HostWeb): DirectoryGroup[] {
  const [number = '', prefix = ''] = key.split(' ');
  const own = [...group.values()].filter(({ pages }) => pages >= DIRECTORIES.pages);
  if (own.length < (prefix.endsWith('~') ? DIRECTORIES.people : DIRECTORIES.siblings)) return [];
  const isApart = ({ inside, across, rest }: Directory): boolean =>
    inside > 0 &&
    inside / (inside + across) >= DIRECTORIES.apart &&
    inside / (inside + across + rest) >= DIRECTORIES.inside;
  const apart = own.filter(isApart);
  if (apart.length / own.length < DIRECTORIES.most) return [];
  const sum = (of: (one: Directory) => number): number => own.reduce((all, one) => all + of(one), 0);
  const links = sum((one) => one.inside + one.across + one.rest);
  return [
    {
      host: names[Number(number)] as string,
      prefix,
      directories: own.length,
      pages: sum(({ pages }) => pages),
      inside: sum(({ inside }) => inside) / links,
      across: sum(({ across }) => across) / links,
    },
  ];
}

/** `/group/x/y/1.html` => `/group/x/`. */
export const topDirectories = (path: string): string =>
  `/${path
    .split('/')
    .slice(1, -1)
    .slice(0, LEVELS)
    .map((one) => `${one}/`)
    .join('')}`;

/** Which directory a page lies in at each level: `/~ann/cv` in `ann` of `/~`; `/group/x/1` in `x` of `/group/`. */
function placesOf(
  { siteOf, directories }: HostWeb,
  page: number,
): { readonly key: string; readonly name: string }[] {
  const segments = (directories[page] ?? '/').split('/').slice(1, -1);
  return segments.map((segment, level) => {
    const above = `/${segments
      .slice(0, level)
      .map((one) => `${one}/`)
      .join('')}`;
    const isPerson = segment.startsWith('~') && segment.length > 1;
    return {
      key: `${siteOf[page]} ${above}${isPerson ? '~' : ''}`,
      name: isPerson ? segment.slice(1) : segment,
    };
  });
}
