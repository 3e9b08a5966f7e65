import type { Exchange, ResponseMessage } from '../model/exchange.ts';
import type { LinkSelector } from '../model/link-selector.ts';
import type { PageWording } from '../model/page-wording.ts';
import type { Millis } from '../model/time.ts';

export interface PageContent {
  readonly title: string;
  /** Absolute URLs. */
  readonly links: readonly string[];
  /** What the page embeds. */
  readonly resources: readonly string[];
  /** Limits hit while reading, e.g. a body that unpacks to more than is read. */
  readonly facts: readonly string[];
  /** Whether its content coding could be undone; absent where that was not checked. */
  readonly decodable?: boolean;
  /** For HTML, where requested. */
  readonly words?: PageText;
  /** For HTML: what a reader of the answer sees. */
  readonly seen?: () => SeenHtml;
}

export interface SeenHtml {
  readonly html: string;
  /** The beginning of its text, single-spaced: enough to tell a wall from a page. */
  readonly text: string;
}

/** What a page says in words, as far as its bytes tell. */
export interface PageText {
  /** Its own language, as it declares it: `fr`. */
  readonly declared: string | undefined;
  /** The beginning of its running text; read on first use. */
  text(): string;
  /** The words of a link of this page to another site; undefined where there are none. */
  linkWords(url: string): string | undefined;
}

/** Who reports changes of a document, according to its own announcement. */
export interface AnnouncedHubs {
  /** Empty for most. */
  readonly hubs: readonly string[];
  /** The address to subscribe to: what the document calls itself. */
  readonly topic: string;
}

/** What a sitemap says of a page besides its URL. */
export interface SitemapHint {
  readonly lastModified?: Millis;
  /** `changefreq`: hourly, daily, … */
  readonly changeFrequency?: string;
}

/** What a reader sees of a page, as far as its bytes tell. */
export interface VisibleContent {
  /** Title, running text, addresses of links and pictures: equal for pages that look alike. */
  readonly text: string;
}

export interface SitemapContent {
  readonly pages: readonly string[];
  /** By URL, for those that have one. */
  readonly hints?: ReadonlyMap<string, SitemapHint>;
  readonly sitemaps: readonly string[];
  readonly facts: readonly string[];
}

/** The input of a reader: an answer and where it came from, fresh from the web or out of the archive. */
export interface Document extends Pick<Exchange, 'url'> {
  readonly response: Omit<ResponseMessage, 'head'>;
}

/** Bodies with codings removed, HTML as text. */
export type SourceReader = Pick<PageReader, 'readSource' | 'readBytes'>;

/** Reads links and titles from what was captured: HTML, CSS, feeds, sitemaps. Never throws because of content. */
export interface PageReader {
  /**
   * @param wantsWords they take some time
   * @param selectors what counts as a link; what browsers take for one where there are none
   */
  read(document: Document, wantsWords?: boolean, selectors?: readonly LinkSelector[]): Promise<PageContent>;
  readSitemap(document: Document): Promise<SitemapContent>;
  /** Whether the body really has the content coding that its head declares. */
  isDecodable(document: Document): Promise<boolean>;
  /** Undefined for what is not HTML, or was not read whole. */
  readVisible(document: Document): Promise<VisibleContent | undefined>;
  /** For HTML and feeds. */
  readHubs(document: Document): Promise<AnnouncedHubs>;
  /** What it says of itself and of others; undefined likewise. */
  readWording(document: Document): Promise<PageWording | undefined>;
  /** HTML as text; undefined for what is not HTML, or was not read whole. */
  readSource(document: Document): Promise<string | undefined>;
  /** Without any coding, as a browser would pass it on; undefined for what is larger than `limit` bytes, or damaged. */
  readBytes(document: Document, limit: number): Promise<Uint8Array | undefined>;
}
