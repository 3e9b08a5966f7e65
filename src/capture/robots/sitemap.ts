/**
 * Sitemaps 0.9 (urlset, index, plain text, gzip) and feeds (RSS 2.0 and 1.0, Atom, JSON Feed), as found in the
 * wild: wrong namespaces, prefixes, missing `loc`, truncated files and bad dates cost as little as possible.
 *
 * Only a `loc` directly in `url` (or `sitemap`) names a page: those of the image, video and news extensions
 * have another prefix or are nested deeper. External entities and includes are never resolved.
 */
import { Parser } from 'htmlparser2';
import type { Millis } from '../../model/time.ts';
import { crawlUrl } from '../scope/normalise.ts';
import { words } from '../words.ts';
import { JSON_FEED_LIMIT, jsonFeedItems } from './json-feed.ts';
import { decodeSitemap } from './sitemap-bytes.ts';
import { parseFeedDate } from './sitemap-date.ts';

export const SITEMAP_URLS = 50_000;

const CHANGE_FREQUENCIES = words('always hourly daily weekly monthly yearly never');

export interface SitemapEntry {
  readonly url: string;
  readonly lastmod?: Millis;
  readonly changefreq?: string;
}

export type SitemapKind = 'urlset' | 'index' | 'text' | 'rss' | 'atom' | 'json' | 'unknown';

export interface Sitemap {
  readonly kind: SitemapKind;
  /** Pages; for an index, the further sitemaps. Each URL once. */
  readonly entries: readonly SitemapEntry[];
  /** What was cut, skipped or wrong: to be stored with the capture. */
  readonly facts: readonly string[];
}

/** @param url where the sitemap was found: relative entries are resolved against it */
export function parseSitemap(bytes: Uint8Array, url: string): Sitemap {
  const facts: string[] = [];
  const source = decodeSitemap(bytes, facts);
  const collector = createCollector(url);
  let kind: SitemapKind = 'unknown';
  let sink: Sink | undefined;
  let read = 0;
  for (const text of source) {
    read += text.length;
    sink ??= sinkFor(text.trimStart()[0])(collector);
    sink.write(text);
    if (collector.full) break;
  }
  if (sink) kind = sink.end();
  if (collector.full) facts.push(`more than ${SITEMAP_URLS} URLs: the rest was not read`);
  if (collector.refused > 0) {
    facts.push(
      `${collector.refused} entries without an http or https URL, such as '${collector.refusedExample}'`,
    );
  }
  if (kind === 'unknown' && read > 0 && collector.entries.length === 0) {
    facts.push('neither a sitemap nor a feed');
  }
  return { kind, entries: collector.entries, facts };
}

interface Sink {
  write(text: string): void;
  end(): SitemapKind;
}

interface Collector {
  readonly entries: SitemapEntry[];
  full: boolean;
  refused: number;
  refusedExample: string;
  add(loc: string, more?: Omit<SitemapEntry, 'url'>): void;
}

function createCollector(base: string): Collector {
  const seen = new Set<string>();
  const collector: Collector = {
    entries: [],
    full: false,
    refused: 0,
    refusedExample: '',
    add(loc, more) {
      const text = loc.trim();
      if (text === '' || collector.full) return;
      // The protocol requires absolute URLs. Root-relative ones are understood; a bare word is more likely
      // junk.
      const made = /^(?:https?:|\/)/i.test(text) ? crawlUrl(text, base) : undefined;
      if (!made?.ok) {
        collector.refused++;
        if (collector.refusedExample === '') collector.refusedExample = text.slice(0, 80);
        return;
      }
      if (seen.has(made.url)) return;
      if (collector.entries.length >= SITEMAP_URLS) {
        collector.full = true;
        return;
      }
      seen.add(made.url);
      collector.entries.push({ url: made.url, ...more });
    },
  };
  return collector;
}

function sinkFor(first: string | undefined): (collector: Collector) => Sink {
  if (first === '{') return jsonSink;
  return first === '<' ? xmlSink : textSink;
}

function jsonSink(collector: Collector): Sink {
  let all = '';
  return {
    write(text) {
      if (all.length <= JSON_FEED_LIMIT) all += text;
    },
    end() {
      const items = all.length > JSON_FEED_LIMIT ? undefined : jsonFeedItems(all);
      for (const { url, ...more } of items ?? []) collector.add(url, more);
      return items ? 'json' : 'unknown';
    },
  };
}

function textSink(collector: Collector): Sink {
  let rest = '';
  return {
    write(text) {
      const all = rest + text;
      const end = Math.max(all.lastIndexOf('\n'), all.lastIndexOf('\r')) + 1;
      for (const [line] of all.slice(0, end).matchAll(/[^\r\n]+/g)) collector.add(line);
      // A file without line ends is not a list of URLs.
      rest = all.length - end > 65_536 ? '' : all.slice(end);
    },
    end() {
      collector.add(rest);
      return collector.entries.length > 0 ? 'text' : 'unknown';
    },
  };
}

/** Elements that hold one entry, by the root element that gives them this meaning. */
const ENTRY_ELEMENTS: Readonly<Record<string, { kind: SitemapKind; entry: string }>> = {
  urlset: { kind: 'urlset', entry: 'url' },
  sitemapindex: { kind: 'index', entry: 'sitemap' },
  rss: { kind: 'rss', entry: 'item' },
  rdf: { kind: 'rss', entry: 'item' },
  feed: { kind: 'atom', entry: 'entry' },
};

const TEXT_LIMIT = 8_192;

/** What has been read of the current entry. */
interface Draft {
  loc: string;
  /** RSS guid, used if there is no link. */
  guid: string;
  lastmod?: Millis;
  changefreq?: string;
}

function xmlSink(collector: Collector): Sink {
  let kind: SitemapKind = 'unknown';
  let entryName = '';
  /** Prefix of the root: `sit:` in `<sit:urlset>`. Other prefixes are extensions. */
  let prefix = '';
  let depth = 0;
  let entryDepth = -1;
  let draft: Draft = { loc: '', guid: '' };
  let field = '';
  let fieldDepth = -1;
  let text = '';
  /** Text directly in the entry: some write `<sitemap>https://…</sitemap>`. */
  let bare = '';
  let permalink = true;

  function finish(): void {
    const { guid, loc, ...more } = draft;
    collector.add(loc || guid || bare, more);
    draft = { loc: '', guid: '' };
    bare = '';
  }

  function setField(): void {
    const value = text.trim();
    switch (field) {
      case 'loc':
        // A second loc in one entry: the closing tag between them was forgotten.
        if (draft.loc !== '') finish();
        draft.loc = value;
        break;
      case 'link':
        if (draft.loc === '') draft.loc = value;
        break;
      case 'guid':
        if (permalink && /^https?:/i.test(value)) draft.guid = value;
        break;
      case 'changefreq': {
        const frequency = value.toLowerCase();
        if (CHANGE_FREQUENCIES.has(frequency)) draft.changefreq = frequency;
        break;
      }
      default: {
        const at = parseFeedDate(value);
        // `updated` takes precedence over `published`, whichever comes first.
        if (at !== undefined && (field !== 'published' || draft.lastmod === undefined)) draft.lastmod = at;
      }
    }
    field = '';
    fieldDepth = -1;
  }

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth++;
        const colon = tag.indexOf(':');
        const name = (colon < 0 ? tag : tag.slice(colon + 1)).toLowerCase();
        const tagPrefix = colon < 0 ? '' : tag.slice(0, colon + 1);
        if (entryName === '') {
          const root = ENTRY_ELEMENTS[name];
          if (!root) return;
          ({ kind, entry: entryName } = root);
          prefix = name === 'rdf' ? '' : tagPrefix;
          return;
        }
        if (entryDepth < 0) {
          if (name !== entryName || tagPrefix !== prefix) return;
          entryDepth = depth;
          return;
        }
        if (field !== '' || depth !== entryDepth + 1) return;
        if (!FIELDS[kind]?.has(tagPrefix === prefix ? name : `${tagPrefix}${name}`)) return;
        if (kind === 'atom' && name === 'link') {
          const rel = attributes.rel ?? 'alternate';
          if (rel === 'alternate' && draft.loc === '') draft.loc = attributes.href ?? '';
          return;
        }
        permalink = attributes.isPermaLink !== 'false';
        field = name;
        fieldDepth = depth;
        text = '';
      },
      ontext(data) {
        if (field !== '') {
          if (text.length < TEXT_LIMIT) text += data;
        } else if (depth === entryDepth && bare.length < TEXT_LIMIT) bare += data;
      },
      onclosetag() {
        if (depth === fieldDepth) setField();
        if (depth === entryDepth) {
          finish();
          entryDepth = -1;
        }
        depth--;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    write: (chunk) => parser.write(chunk),
    end() {
      // Closes what a truncated file left open, so that its last entry counts.
      parser.end();
      return kind;
    },
  };
}

const FIELDS: Readonly<Partial<Record<SitemapKind, ReadonlySet<string>>>> = {
  urlset: words('loc lastmod changefreq'),
  index: words('loc lastmod'),
  rss: words('link guid pubdate dc:date'),
  atom: words('link updated published'),
};
