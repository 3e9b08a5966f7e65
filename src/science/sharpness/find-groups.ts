/**
 * Groups of pages that must agree (ours; the first wish of SHARC 2009, §9: "identify the pages that should be mutually
 * consistent"). Found by what the pages themselves say, without a list of sites or words of any language:
 *
 * - **index**: a page that shows the names of several others as labels of links. Once it is known to be one, all similar links
 *   in it lead to its articles: the link to a page whose headline has changed meanwhile no longer bears its name, and is the
 *   very one that matters. Menus lead from most pages to the same few and are left out.
 * - **list**: addresses that differ in the number of a page alone.
 * - **shared-text**: text that is new since the previous version, and occurs on a few pages.
 *
 * Linear in the size of what the pages say, except for lists of pages that share a text.
 */
import type { PageGroup } from '../../model/page-group.ts';
import type { PageWording } from '../../model/page-wording.ts';

export interface WordedPage extends PageWording {
  readonly url: string;
  /** Texts of the previous version; absent where there is none. */
  readonly former?: ReadonlySet<string>;
}

/** Fewer make a box beside an article, not an index. */
const INDEX_AT_LEAST = 5;
/** A link found on more than this share of the pages belongs to a menu; with very few pages nothing can be said. */
const MENU_SHARE = 0.5;
const MENU_PAGES = 8;
/** Characters: shorter labels are contained in longer names, or the other way round, by chance. */
const HEADLINE = 12;
/** Characters from which two pages do not share a text by chance; fewer if it contains a number. */
const OWN_TEXT = 40;
const OWN_NUMBERS = 16;
/** Text on more pages than this is part of the frame around them. */
const SHARED_AT_MOST = 12;

export function findGroups(pages: readonly WordedPage[]): PageGroup[] {
  const indexes = indexGroups(pages);
  const lists = listGroups(pages.map(({ url }) => url));
  const known = [...indexes, ...lists].map((group) => new Set(group.pages));
  const shared = sharedGroups(pages).filter(
    (group) => !known.some((other) => group.pages.every((url) => other.has(url))),
  );
  return [...indexes, ...lists, ...shared];
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();

/** Whether a label is this name, or one begins with the other: titles end in the site's name, labels continue as teasers. */
function names(label: string, name: string): boolean {
  if (label === name) return label !== '';
  const [short, long] = label.length < name.length ? [label, name] : [name, label];
  return short.length >= HEADLINE && long.startsWith(short) && !/\p{L}/u.test(long[short.length] ?? '');
}

function indexGroups(pages: readonly WordedPage[]): PageGroup[] {
  const namesOf = new Map(pages.map((page) => [page.url, page.names.map(folded)]));
  const isMenu = menuLinks(pages);
  return pages.flatMap(({ url, links }): PageGroup[] => {
    const named = new Set<string>();
    const listed = new Set<string>();
    for (const { url: target, label } of links) {
      const own = namesOf.get(target);
      if (!own || target === url || isMenu(target)) continue;
      const text = folded(label);
      const isNamed = own.some((name) => names(text, name));
      if (isNamed) named.add(target);
      if (isNamed || text.length >= HEADLINE) listed.add(target);
    }
    return named.size < INDEX_AT_LEAST ? [] : [{ kind: 'index', pages: [url, ...[...listed].sort()] }];
  });
}

function menuLinks(pages: readonly WordedPage[]): (url: string) => boolean {
  if (pages.length < MENU_PAGES) return () => false;
  const counts = new Map<string, number>();
  for (const { links } of pages)
    for (const target of new Set(links.map(({ url }) => url)))
      counts.set(target, (counts.get(target) ?? 0) + 1);
  return (url) => (counts.get(url) ?? 0) > MENU_SHARE * pages.length;
}

/** How sites number the parts of a list, where the address says so: bare numbers may be dates and names. */
const PART =
  /([?&](?:page|p|pg|paged|seite|pagina|offset|start)=|\/(?:page|p|seite|pagina)[/-]?)(\d+)(?=$|[&#/.])/i;

/** The address with its number taken out, and the number; the one without a number begins the list. */
function partOf(url: string): { readonly list: string; readonly number: number } | undefined {
  const found = PART.exec(url);
  if (!found) return undefined;
  const [whole, sign = '', number = ''] = found;
  const rest = url.slice(found.index + whole.length);
  // `?page=2&x` and `?x` belong to one list, as do `/news/page/2/` and `/news/`.
  const list =
    sign.startsWith('?') && rest.startsWith('&')
      ? `?${rest.slice(1)}`
      : sign.startsWith('/')
        ? rest.replace(/^\/?/, '/')
        : rest;
  return { list: url.slice(0, found.index) + list, number: Number(number) };
}

function listGroups(urls: readonly string[]): PageGroup[] {
  const lists = new Map<string, { readonly url: string; readonly number: number }[]>();
  for (const url of urls) {
    const part = partOf(url);
    if (part) lists.set(part.list, [...(lists.get(part.list) ?? []), { url, number: part.number }]);
  }
  const all = new Set(urls);
  return [...lists].flatMap(([list, parts]): PageGroup[] => {
    const first = all.has(list) ? [list] : [];
    const rest = parts.sort((a, b) => a.number - b.number || (a.url < b.url ? -1 : 1)).map(({ url }) => url);
    return first.length + rest.length < 2 ? [] : [{ kind: 'list', pages: [...first, ...rest] }];
  });
}

function sharedGroups(pages: readonly WordedPage[]): PageGroup[] {
  const holders = new Map<string, number[]>();
  pages.forEach(({ texts }, page) => {
    for (const text of new Set(texts))
      if (isOwn(text)) holders.set(text, [...(holders.get(text) ?? []), page]);
  });
  const groups = new Map<string, PageGroup>();
  for (const [text, of] of holders) {
    if (of.length < 2 || of.length > SHARED_AT_MOST) continue;
    const formers = of.flatMap((page) => pages[page]?.former ?? []);
    // Without a previous version nobody knows whether it changes.
    if (formers.length === 0 || formers.some((former) => former.has(text))) continue;
    const urls = of.map((page) => (pages[page] as WordedPage).url);
    groups.set(urls.join(' '), { kind: 'shared-text', pages: urls });
  }
  return [...groups.values()];
}

const isOwn = (text: string): boolean =>
  text.length >= OWN_TEXT || (text.length >= OWN_NUMBERS && /\d/.test(text));

/** Pages of a group that a reader compares, as numbers of a list: the first with each other one, parts of a list each with the next. */
export function pairsOf(
  groups: readonly PageGroup[],
  numbers: ReadonlyMap<string, number>,
): (readonly [number, number])[] {
  const pairs = new Map<string, readonly [number, number]>();
  for (const { kind, pages } of groups) {
    const known = pages.flatMap((url) => numbers.get(url) ?? []);
    known.slice(1).forEach((page, index) => {
      const other = (kind === 'list' ? known[index] : known[0]) as number;
      const pair = page < other ? ([page, other] as const) : ([other, page] as const);
      if (page !== other) pairs.set(pair.join(' '), pair);
    });
  }
  return [...pairs.values()];
}
