/** The page around the blocks: head, masthead, menu, columns, ad slots, footer. */
import type { ContentBlock, NewsContent, NewsPageSpec } from '../content.ts';
import { PAPER, SECTION_IDS, SECTIONS } from '../sections.ts';
import { blockHtml } from './blocks.ts';
import { escapeHtml, hole } from './parts.ts';

/** Ad slots by page class; truth, markup and URLs use the same names. */
export function adSlots(pageClass: NewsPageSpec['class']): readonly string[] {
  switch (pageClass) {
    case 'home':
      return ['top', 'side', 'middle'];
    case 'section':
      return ['top', 'side'];
    case 'article':
      return ['side', 'inline'];
    case 'ticker':
    case 'weather':
      return ['side'];
    default:
      return [];
  }
}

const MENU = [
  ...SECTION_IDS.map((id) => [`/${id}/`, SECTIONS[id].title] as const),
  ['/live/', 'Live'],
  ['/weather/', 'Weather'],
  ['/events/', 'Events'],
  ['/magazine/', 'Magazine'],
  ['/crossword/', 'Crossword'],
] as const;

const FOOTER = [
  ['/about/', 'About us'],
  ['/imprint/', 'Imprint'],
  ['/contact/', 'Contact'],
  ['/archive/', 'Archive'],
  ['/today', 'Today'],
  ['/economy/markets/', 'Markets'],
  ['/print/', 'Print edition'],
  ['/trends/', 'Trends'],
  ['/feeds/all.rss', 'RSS'],
  ['/feeds/all.atom', 'Atom'],
  ['/members/', 'Members'],
  ['/login', 'Log in'],
  ['/search', 'Search'],
] as const;

const links = (list: readonly (readonly [string, string])[]): string =>
  list.map(([href, text]) => `<a href="${href}">${text}</a>`).join('\n');

const ASIDE: ReadonlySet<string> = new Set(['headlines', 'weather', 'service', 'weekend', 'related']);
const isAside = (block: ContentBlock, pageClass: string): boolean =>
  ASIDE.has(block.role) || (block.role === 'live' && pageClass === 'home');

const FORMS: Readonly<Record<string, string>> = {
  '/login': `<form method="post" action="/login"><input type="hidden" name="csrf" value="${hole('csrf')}"><label>Name <input name="user"></label><label>Password <input name="password" type="password"></label><button>Log in</button></form>`,
  '/search':
    '<form method="get" action="/search"><label>Words <input name="q" type="search"></label><button>Search</button></form>',
};

function columns(spec: NewsPageSpec, content: NewsContent): string {
  const slots = adSlots(spec.class);
  const ad = (slot: string): string => (slots.includes(slot) ? hole(`ad:${slot}`) : '');
  const main: string[] = [];
  const wide: string[] = [];
  const aside: string[] = [];
  for (const block of content.blocks) {
    if (block.role === 'masthead' || block.role === 'breaking') continue;
    if (block.role === 'section-box') wide.push(blockHtml(block));
    else if (isAside(block, spec.class)) aside.push(blockHtml(block));
    else main.push(blockHtml(block));
    if (block.role === 'figure') main.push(ad('inline'));
  }
  const form = FORMS[spec.path] ?? '';
  const scripted = spec.class === 'scripted' ? '<div id="app" data-source="/api/trends.json"></div>' : '';
  const mostRead =
    spec.class === 'home'
      ? '<section id="most-read" data-source="/api/most-read.json"><h2 class="rule">Most read</h2></section>'
      : '';
  const side = aside.join('') + mostRead + ad('side');
  const boxes = wide.length > 0 ? `${ad('middle')}<div class="boxes">${wide.join('')}</div>` : '';
  return `<div class="${side ? 'two' : 'one'}"><main>${main.join('')}${scripted}${form}${boxes}</main>${side ? `<aside class="rail">${side}</aside>` : ''}</div>`;
}

export function pageHtml(spec: NewsPageSpec, content: NewsContent): string {
  const { section } = spec;
  const above = content.blocks
    .filter(({ role }) => role === 'breaking')
    .map(blockHtml)
    .join('');
  const date = content.blocks.find(({ role }) => role === 'masthead');
  const feeds = section ?? 'all';
  const top = adSlots(spec.class).includes('top') ? hole('ad:top') : '';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(content.title)}</title>
<link rel="stylesheet" href="/assets/site.css">
<link rel="icon" href="/favicon.ico">
<link rel="alternate" type="application/rss+xml" href="/feeds/${feeds}.rss" title="RSS">
<link rel="alternate" type="application/atom+xml" href="/feeds/${feeds}.atom" title="Atom">
<script src="/assets/site.js" defer></script>
${hole('nonce')}</head>
<body class="c-${spec.class}${section ? ` s-${section}` : ''}">
<header class="paper"><p class="name"><a href="/">${PAPER}</a></p>${date ? blockHtml(date) : ''}</header>
<nav class="menu">${links(MENU)}</nav>
${top}${above}${columns(spec, content)}
<footer class="foot"><p>${PAPER} · an invented newspaper for an invented town</p><nav>${links(FOOTER)}</nav></footer>
</body>
</html>
`;
}

/** For answers outside the archive of versions: 404, search results, ad landings. */
export function plainPage(title: string, bodyHtml: string): string {
  const spec: NewsPageSpec = {
    path: '',
    class: 'static',
    media: 'html',
    born: 0,
    moments: () => [],
    content: () => ({ title, blocks: [] }),
  };
  const content: NewsContent = {
    title: `${title} – ${PAPER}`,
    blocks: [{ id: 'title', role: 'page-title', weight: 0, items: [{ key: 'title', text: title }] }],
  };
  return pageHtml(spec, content).replace('</main>', `${bodyHtml}</main>`);
}
