/**
 * What a page refers to, without rendering it: the hottest function of a crawl by HTTP only.
 *
 * Scanned by `tags.ts` rather than by htmlparser2 for a measured reason: CPU time per page on one core of a
 * busy 2-core machine, median of 7 runs over 8 pages of each size (archived pages of 2013, news home pages):
 *
 *   page      this function   scanTags alone   htmlparser2 Tokenizer alone   htmlparser2 Parser alone
 *   30 KB     0.32 ms         0.08 ms          0.32 ms                       0.55 ms
 *   100 KB    0.96 ms         0.18 ms          0.98 ms                       1.57 ms
 *   370 KB    2.1 ms          0.8 ms           4.7 ms                        9.3 ms
 */
import { linkResolver } from '../scope/normalise.ts';
import { words } from '../words.ts';
import { rawCssUrls, resolved, resourceResolver } from './css-urls.ts';
import { decodeAttribute, decodeText } from './entities.ts';
import { parseSrcset } from './srcset.ts';
import { attributeFilter, scanTags, type TagHandler } from './tags.ts';

interface PageLinks {
  /** Pages: absolute http(s) URLs in frontier form, each once, in document order; then RSS and Atom feeds. */
  readonly links: string[];
  /** Embedded resources: absolute http(s) URLs as a browser would request them. */
  readonly resources: string[];
  readonly title: string;
}

/** Attributes read on every element; the rest depends on the element. */
const EVERYWHERE = words(
  'style background data-src data-srcset data-original data-lazy-src data-lazy-srcset data-bg data-background ' +
    'data-background-image poster src srcset',
);
const BY_TAG: Readonly<Record<string, ReadonlySet<string>>> = {
  a: words('href xlink:href'),
  area: words('href'),
  base: words('href'),
  link: words('href rel type imagesrcset'),
  meta: words('name http-equiv content property'),
  image: words('href xlink:href'),
  use: words('href xlink:href'),
  feimage: words('href xlink:href'),
  object: words('data'),
  input: words('type'),
};

const FILTER = attributeFilter([...EVERYWHERE, ...Object.values(BY_TAG).flatMap((names) => [...names])]);

/** Characters. Longer values are unclosed quotes and data URLs; no server accepts them. */
const HREF_LIMIT = 16_384;

const RESOURCE_RELS = words(
  'stylesheet icon apple-touch-icon apple-touch-icon-precomposed mask-icon preload modulepreload manifest image_src',
);

export function extractLinks(html: string, baseUrl: string): PageLinks {
  /** As written, decoded; resolved at the end, since `<base>` may come late. */
  const links = new Set<string>();
  const resources = new Set<string>();
  const feeds = new Set<string>();
  let title: string | undefined;
  let base: string | undefined;

  let tag = '';
  let own: ReadonlySet<string> | undefined;
  let found: Record<string, string> = {};
  let any = false;
  let lazy = false;

  const handler: TagHandler = {
    open(name) {
      tag = name;
      own = BY_TAG[name];
      any = false;
      lazy = false;
    },
    attribute(name, value) {
      if (!EVERYWHERE.has(name) && !own?.has(name)) return;
      if (!any) {
        found = {};
        any = true;
      }
      if (name.charCodeAt(4) === 45) lazy = true;
      // Of two attributes with the same name, the first counts.
      found[name] ??= decodeAttribute(value).trim();
    },
    close() {
      if (any) take();
    },
    content(name, text) {
      if (name === 'title') title ??= decodeText(text).replace(/\s+/g, ' ').trim();
      else addCss(text);
    },
  };

  function take(): void {
    const { style, src, srcset, background, poster } = found;
    if (style?.includes('(')) addCss(style);
    if (background !== undefined) addResource(background);
    if (poster !== undefined) addResource(poster);
    if (srcset !== undefined) addSrcset(srcset);
    if (lazy) takeLazy();
    switch (tag) {
      case 'a':
      case 'area':
        addLink(found.href ?? found['xlink:href']);
        return;
      case 'iframe':
      case 'frame':
        addLink(src ?? found['data-src']);
        return;
      case 'base':
        base ??= found.href;
        return;
      case 'link':
        takeLink();
        return;
      case 'meta':
        takeMeta();
        return;
      case 'image':
      case 'use':
      case 'feimage':
        addResource(found.href ?? found['xlink:href']);
        return;
      case 'object':
        addResource(found.data);
        return;
      case 'input':
        if (found.type?.toLowerCase() === 'image') addResource(src);
        return;
      default:
        // img, script, source, video, audio, track, embed, and custom elements such as amp-img.
        addResource(src);
    }
  }

  function takeLazy(): void {
    if (tag === 'iframe' || tag === 'frame') return;
    addResource(found['data-src']);
    addResource(found['data-original']);
    addResource(found['data-lazy-src']);
    for (const name of ['data-bg', 'data-background', 'data-background-image']) {
      const value = found[name];
      if (value === undefined) continue;
      if (value.includes('(')) addCss(value);
      else addResource(value);
    }
    addSrcset(found['data-srcset']);
    addSrcset(found['data-lazy-srcset']);
  }

  function takeLink(): void {
    const href = found.href;
    const rels = (found.rel ?? '').toLowerCase().split(/\s+/);
    const type = (found.type ?? '').toLowerCase();
    addSrcset(found.imagesrcset);
    if (href === undefined) return;
    if (rels.some((rel) => RESOURCE_RELS.has(rel))) addResource(href);
    else if (rels.includes('alternate') && /^application\/(?:rss|atom|rdf)\+xml/.test(type)) feeds.add(href);
    else if (rels.includes('next') || rels.includes('prev') || rels.includes('previous')) addLink(href);
    else if (rels.includes('alternate') && (type === '' || /^(?:text\/html|application\/xhtml)/.test(type))) {
      addLink(href);
    }
  }

  function takeMeta(): void {
    const content = found.content;
    if (content === undefined) return;
    if (found['http-equiv']?.toLowerCase() === 'refresh') {
      const target = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is.exec(content);
      const href = target?.[1] ?? target?.[2] ?? target?.[3];
      if (href !== '') addLink(href);
    }
    const property = (found.property ?? found.name)?.toLowerCase();
    if (property === 'og:image' || property === 'twitter:image' || property === 'msapplication-tileimage') {
      addResource(content);
    }
  }

  function addLink(href: string | undefined): void {
    // Fragments of the page itself are not links; `javascript:` and `mailto:` would fail below, more slowly.
    if (href === undefined || href.charCodeAt(0) === 35 || href.length > HREF_LIMIT) return;
    if (href.charCodeAt(0) !== 47 && /^(?:javascript|mailto|tel|data|about|sms|whatsapp):/i.test(href))
      return;
    links.add(href);
  }
  function addResource(href: string | undefined): void {
    if (href !== undefined && href !== '' && href.length <= HREF_LIMIT) resources.add(href);
  }
  function addSrcset(srcset: string | undefined): void {
    if (srcset !== undefined) for (const url of parseSrcset(srcset)) addResource(url);
  }
  function addCss(css: string): void {
    for (const url of rawCssUrls(css)) addResource(url);
  }

  scanTags(html, FILTER, handler);

  const absoluteBase = base === undefined ? baseUrl : (resourceResolver(baseUrl)(base) ?? baseUrl);
  const resolve = linkResolver(absoluteBase);
  return {
    links: [...resolved(links, resolve), ...resolved(feeds, resolve)],
    resources: [...resolved(resources, resourceResolver(absoluteBase))],
    title: title ?? '',
  };
}
