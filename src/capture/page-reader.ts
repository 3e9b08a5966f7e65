import { header, isHtml, mediaType } from '../model/exchange.ts';
import type { LinkSelector } from '../model/link-selector.ts';
import type { Document, PageContent, PageReader, PageText, SitemapHint } from '../ports/page-reader.ts';
import { announcedHubs } from './html/announced-hubs.ts';
import { extractCssUrls } from './html/css-urls.ts';
import { extractLinks } from './html/links.ts';
import { pageWording } from './html/page-wording.ts';
import { declaredLanguage, linkWords, runningText } from './html/running-text.ts';
import { selectedLinks } from './html/selected-links.ts';
import { visibleText } from './html/visible-text.ts';
import { decodedBytes } from './http/decode-body.ts';
import { decodeText } from './http/decode-text.ts';
import { parseSitemap } from './robots/sitemap.ts';

/** Bytes of a page that are read for links. Real pages are smaller; a decompression bomb is larger. */
const PAGE_LIMIT = 32 * 1024 * 1024;
/** The sitemap protocol's own limit plus some room, in uncompressed bytes. */
const SITEMAP_LIMIT = 64 * 1024 * 1024;

/** Characters of running text: enough for its language, and for the words of a topic or a purchase. */
const TEXT_READ = 2000;

/** Characters: a page with more text is not a wall. */
const TEXT_SEEN = 3000;

const NOTHING: PageContent = { title: '', links: [], resources: [], facts: [] };

const FEEDS = new Set(['application/rss+xml', 'application/atom+xml', 'application/xml', 'text/xml']);

export function createPageReader(): PageReader {
  return {
    async read(document, wantsWords = false, selectors = []) {
      const type = mediaType(document.response.headers);
      if (isHtml(type)) return readHtml(document, wantsWords, selectors);
      if (type === 'text/css') return readCss(document);
      if (FEEDS.has(type)) return readFeed(document);
      return NOTHING;
    },
    async readVisible(document) {
      const source = await readSource(document);
      return source === undefined ? undefined : { text: visibleText(source) };
    },
    async readHubs(document) {
      const { headers } = document.response;
      const type = mediaType(headers);
      const { text } = isHtml(type) || FEEDS.has(type) ? await decodedPage(document) : { text: '' };
      return announcedHubs(headers, text, document.url);
    },
    async readWording(document) {
      const source = await readSource(document);
      return source === undefined ? undefined : pageWording(source, document.url);
    },
    readSource,
    async isDecodable({ response }) {
      if (header(response.headers, 'content-encoding') === undefined) return true;
      return !(await decodedBytes(response, PAGE_LIMIT)).damaged;
    },
    async readBytes(document, limit) {
      const { bytes, complete } = await decodedBytes(document.response, limit);
      return complete ? bytes : undefined;
    },
    async readSitemap(document) {
      const { bytes, facts } = await decoded(document, SITEMAP_LIMIT);
      const sitemap = parseSitemap(bytes, document.url);
      const urls = sitemap.entries.map(({ url }) => url);
      const isIndex = sitemap.kind === 'index';
      const hints = new Map<string, SitemapHint>();
      for (const { url, lastmod, changefreq } of sitemap.entries) {
        if (lastmod === undefined && changefreq === undefined) continue;
        hints.set(url, {
          ...(lastmod !== undefined && { lastModified: lastmod }),
          ...(changefreq !== undefined && { changeFrequency: changefreq }),
        });
      }
      return {
        hints,
        pages: isIndex ? [] : urls,
        sitemaps: isIndex ? urls : [],
        facts: [...facts, ...sitemap.facts],
      };
    },
  };
}

async function readSource(document: Document): Promise<string | undefined> {
  if (!isHtml(mediaType(document.response.headers))) return undefined;
  const { text, facts } = await decodedPage(document);
  return facts.length > 0 ? undefined : text;
}

async function decodedPage(document: Document) {
  const { bytes, ...more } = await decoded(document, PAGE_LIMIT);
  return { text: decodeText(bytes, header(document.response.headers, 'content-type')).text, ...more };
}

async function readHtml(
  document: Document,
  wantsWords: boolean,
  selectors: readonly LinkSelector[],
): Promise<PageContent> {
  const { text, ...more } = await decodedPage(document);
  const words = wantsWords && { words: wordsOf(text) };
  const seen = () => ({ html: text, text: runningText(text, TEXT_SEEN) });
  const found = extractLinks(text, document.url);
  const links = selectors.length > 0 ? selectedLinks(text, document.url, selectors) : found.links;
  return { ...found, links, ...more, ...words, seen };
}

function wordsOf(html: string): PageText {
  let text: string | undefined;
  return {
    declared: declaredLanguage(html),
    text: () => {
      text ??= runningText(html, TEXT_READ);
      return text;
    },
    linkWords: (url) => linkWords(html, url),
  };
}

async function readCss(document: Document): Promise<PageContent> {
  const { text, ...more } = await decodedPage(document);
  return { ...NOTHING, resources: extractCssUrls(text, document.url), ...more };
}

async function readFeed(document: Document): Promise<PageContent> {
  const { bytes, facts, decodable } = await decoded(document, PAGE_LIMIT);
  const feed = parseSitemap(bytes, document.url);
  const isFeed = feed.kind === 'rss' || feed.kind === 'atom';
  return {
    ...NOTHING,
    links: isFeed ? feed.entries.map(({ url }) => url) : [],
    facts: isFeed ? [...facts, ...feed.facts] : facts,
    decodable,
  };
}

async function decoded(
  { response }: Document,
  limit: number,
): Promise<{ bytes: Uint8Array; facts: string[]; decodable: boolean }> {
  const { bytes, complete, damaged } = await decodedBytes(response, limit);
  return {
    bytes,
    facts: complete ? [] : [`read for links only in part: ${bytes.byteLength} bytes could be decoded`],
    decodable: !damaged,
  };
}
