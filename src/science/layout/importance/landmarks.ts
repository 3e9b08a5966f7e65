import type { PageSnapshot, SnapshotElement } from '../../../model/page-snapshot.ts';

/** What a region of a page is for, according to its author: ARIA landmarks, by role or by the tags that imply one. */
export const BLOCK_ROLES = [
  'banner',
  'navigation',
  'main',
  'article',
  'complementary',
  'contentinfo',
  'search',
  'form',
] as const;
export type BlockRole = (typeof BLOCK_ROLES)[number];

const BY_TAG: Readonly<Record<string, BlockRole>> = {
  header: 'banner',
  nav: 'navigation',
  main: 'main',
  article: 'article',
  aside: 'complementary',
  footer: 'contentinfo',
  search: 'search',
  form: 'form',
};

const ROLES: ReadonlySet<string> = new Set(BLOCK_ROLES);

/** Inside an article these belong to the article, not to the page (HTML-AAM). */
const OF_PAGE_ONLY: ReadonlySet<string> = new Set(['header', 'footer']);

function ownRole(element: SnapshotElement): BlockRole | undefined {
  const given = element.attributes.role?.trim().toLowerCase();
  if (given && ROLES.has(given)) return given as BlockRole;
  return given ? undefined : BY_TAG[element.tag];
}

/** For each node, the nearest landmark it is in, itself included. */
export function landmarks(snapshot: PageSnapshot): (BlockRole | undefined)[] {
  const found: (BlockRole | undefined)[] = [];
  for (const node of snapshot.nodes) {
    const outer = node.parent >= 0 ? found[node.parent] : undefined;
    const own = node.kind === 'element' ? ownRole(node) : undefined;
    const inArticle = node.kind === 'element' && outer === 'article' && OF_PAGE_ONLY.has(node.tag);
    found.push(inArticle ? outer : (own ?? outer));
  }
  return found;
}

/**
 * Words that authors use in IDs and classes, with the role each hints at: pages older than landmarks have nothing else.
 * English and what other languages borrowed from it; matched as parts of names (`leftMenu`).
 */
export const NAME_HINTS: readonly (readonly [hint: string, words: RegExp])[] = [
  ['footer', /foot|bottom|copyright|legal|impressum/i],
  ['header', /head|top|banner|mast/i],
  ['menu', /menu|nav|tabs|breadcrumb/i],
  ['logo', /logo|brand/i],
  ['search', /search|suche|such|zoek/i],
  ['side', /side|left|right|widget|column|col\d/i],
  ['content', /content|main|article|post|entry|story|text|body|inhalt|contenu/i],
  ['title', /title|headline|heading/i],
  ['advertisement', /(?:^|[-_\s])ads?(?:$|[-_\s\d])|advert|sponsor|promo|publicit|werbung|banner/i],
  ['comments', /comment|disqus|reply/i],
  ['list', /list|links|related|archive|news/i],
];
