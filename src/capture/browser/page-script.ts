import type { LinkSelector } from '../../model/link-selector.ts';

/**
 * What runs inside the page, always in an isolated world: there the page cannot have replaced `JSON` or
 * `Array.prototype`. Each is one expression that returns one JSON string (measured: far quicker than objects
 * by value).
 */

export interface PageLook {
  readonly scripts: number;
  readonly lazy: boolean;
  readonly height: number;
  /** Milliseconds since the DOM last changed; null if it has not since the first look. */
  readonly sinceChange: number | null;
}

/** The first look starts watching for changes. */
export const LOOK = `(() => {
  const w = globalThis;
  if (!w.watching) {
    w.watching = true;
    w.changedAt = null;
    new MutationObserver(() => { w.changedAt = performance.now(); })
      .observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['src', 'srcset', 'href'] });
  }
  const root = document.documentElement;
  return JSON.stringify({
    scripts: document.scripts.length,
    lazy: !!document.querySelector('[loading=lazy],[data-src],[data-srcset],[data-lazy],[data-bg]'),
    height: root ? Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0) : 0,
    sinceChange: w.changedAt === null ? null : performance.now() - w.changedAt,
  });
})()`;

export interface ScrollResult {
  readonly screens: number;
  readonly reachedEnd: boolean;
}

/** Scrolls down screen by screen to the end, then back to the top. */
export function scrollScript(maxScreens: number, maxMillis: number): string {
  return `(async () => {
  const root = document.scrollingElement || document.documentElement;
  const frame = (limit) => new Promise((done) => { requestAnimationFrame(() => done(true)); setTimeout(done, limit, false); });
  const start = performance.now();
  let screens = 0;
  const atEnd = () => scrollY + innerHeight >= root.scrollHeight - 1;
  while (!atEnd() && screens < ${maxScreens} && performance.now() - start < ${maxMillis}) {
    scrollBy({ top: innerHeight, behavior: 'instant' });
    screens++;
    const drawn = await frame(50);
    // A page hears of the scroll with the next frame, which a busy machine draws late.
    if (!drawn && atEnd()) await frame(1000);
    // The end of an endless page moves on once its next part has come: a little patience there.
    if (atEnd()) await new Promise((done) => setTimeout(done, 25));
  }
  const reachedEnd = atEnd();
  scrollTo({ top: 0, behavior: 'instant' });
  await frame(50);
  return JSON.stringify({ screens, reachedEnd });
})()`;
}

export interface PageReading {
  readonly title: string;
  readonly text: string;
  readonly links: readonly string[];
  /** Addresses shown by `embed` and `object`. */
  readonly embedded: readonly string[];
  readonly height: number;
  readonly moreLinks: boolean;
  /** UTF-16 units of all its text; `text` may be only its beginning. */
  readonly textLength: number;
  /** The error that ended the walk over its elements early; '' normally. */
  readonly broke: string;
}

const MOST_LINKS = 20_000;
/** UTF-16 units of visible text. */
const MOST_TEXT = 5_000_000;

export interface LinkReading {
  /** Which elements count as links; `a` and `area` if empty. */
  readonly selectors: readonly LinkSelector[];
  readonly keepsFragments: boolean;
}

/** Text, title and links, through open shadow roots; child frames are asked separately. */
export const readScript = ({ selectors, keepsFragments }: LinkReading): string => `(() => {
  const selectors = ${JSON.stringify(selectors)};
  const kept = (href) => ${keepsFragments ? 'href' : "href.split('#', 1)[0]"};
  const links = new Set();
  const embedded = new Set();
  const texts = [];
  let more = false;
  // A link that leads nowhere must not end the walk: all links after it would be lost.
  const absolute = (href) => { try { return new URL(href, document.baseURI).href; } catch { return ''; } };
  const add = (href) => {
    if (!/^https?:/i.test(href)) return;
    if (links.size >= ${MOST_LINKS}) more = true;
    else links.add(kept(href));
  };
  const visit = (root) => {
    for (const { css, take, name } of selectors) {
      for (const node of root.querySelectorAll(css)) {
        const value = take === 'attribute' ? node.getAttribute(name) : node[name];
        // SVG links are objects.
        const text = typeof value === 'string' ? value : node.getAttribute(name);
        if (text) add(absolute(text));
      }
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const tag = node.localName;
      if (selectors.length === 0 && (tag === 'a' || tag === 'area') && node.hasAttribute('href'))
        // SVG links are objects; node.href of HTML ones is absolute already.
        add(typeof node.href === 'string' ? node.href : absolute(node.getAttribute('href')));
      const shows = tag === 'embed' ? node.getAttribute('src') : tag === 'object' ? node.getAttribute('data') : null;
      if (shows && embedded.size < ${MOST_LINKS}) {
        const href = absolute(shows);
        if (/^https?:/i.test(href)) embedded.add(href.split('#', 1)[0]);
      }
      if (node.shadowRoot) {
        for (const child of node.shadowRoot.children) {
          if (child.innerText && child.localName !== 'style') texts.push(child.innerText);
        }
        visit(node.shadowRoot);
      }
    }
  };
  let broke = '';
  try { visit(document); } catch (error) { broke = String(error); }
  const root = document.documentElement;
  const body = document.body;
  const text = [body ? body.innerText : root ? root.textContent : '', ...texts].join('\\n');
  return JSON.stringify({
    title: document.title,
    text: text.slice(0, ${MOST_TEXT}),
    textLength: text.length,
    broke,
    links: [...links],
    embedded: [...embedded],
    height: root ? Math.max(root.scrollHeight, body ? body.scrollHeight : 0) : 0,
    moreLinks: more,
  });
})()`;

/** Clears what outlives a navigation within the tab. */
export const FORGET = `try { window.name = ''; sessionStorage.clear(); localStorage.clear(); } catch {} ''`;
