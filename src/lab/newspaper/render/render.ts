/** Content → body, by media. */
import { gzipSync } from 'node:zlib';
import type { Media, NewsContent, NewsPageSpec } from '../content.ts';
import type { Traps } from '../world.ts';
import { SITE_CSS, SITE_JS, TYPE_CSS } from './assets.ts';
import { pageHtml } from './html.ts';
import { bytesBody, fillHoles, type Hole, hole, type Rendered, textBody } from './parts.ts';
import { pdfOf } from './pdf.ts';
import { pngOf } from './png.ts';
import { svgOf } from './svg.ts';
import { atom, rss, sitemap, sitemapIndex } from './xml.ts';

export const CONTENT_TYPES: Readonly<Record<Media, string>> = {
  html: 'text/html; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  sitemap: 'application/xml; charset=utf-8',
  'sitemap-index': 'application/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  pdf: 'application/pdf',
};

export interface RobotsOptions {
  readonly traps: Traps;
  /** Seconds. */
  readonly crawlDelay?: number;
}

function robots({ traps, crawlDelay }: RobotsOptions): string {
  const rules = ['User-agent: *', 'Disallow: /search', 'Disallow: /members/', 'Disallow: /ads/go/'];
  if (traps === 'disallowed') rules.push('Disallow: /calendar');
  if (crawlDelay !== undefined) rules.push(`Crawl-delay: ${crawlDelay}`);
  return `${rules.join('\n')}\n\nSitemap: ${hole('origin')}/sitemap.xml\n`;
}

function json(content: NewsContent): string {
  const items = (content.blocks[0]?.items ?? []).map(({ link, text, label }) =>
    link ? link : { text, label },
  );
  return JSON.stringify({ items });
}

export function render(spec: NewsPageSpec, content: NewsContent, options: RobotsOptions): Rendered {
  const description = content.blocks[0]?.items[0]?.text ?? '';
  switch (spec.media) {
    case 'html':
      return textBody(pageHtml(spec, content));
    case 'rss':
      return textBody(rss(spec, content));
    case 'atom':
      return textBody(atom(spec, content));
    case 'sitemap':
      return textBody(sitemap(content));
    case 'sitemap-index':
      return textBody(sitemapIndex(content));
    case 'text':
      return textBody(robots(options));
    case 'json':
      return textBody(json(content));
    case 'svg':
      return textBody(svgOf(description));
    case 'css':
      return textBody(spec.path.endsWith('type.css') ? TYPE_CSS : SITE_CSS);
    case 'js':
      return textBody(SITE_JS);
    case 'png':
      return bytesBody(pngOf(description));
    case 'pdf':
      return bytesBody(pdfOf(content));
  }
}

/** The bytes of a body with its holes filled. Sitemaps named .gz are gzip files, not gzip-encoded answers. */
export function bodyBytes(spec: NewsPageSpec, rendered: Rendered, filler: (name: Hole) => string): Buffer {
  if (rendered.kind === 'bytes') return rendered.bytes;
  const text = Buffer.from(fillHoles(rendered.parts, filler));
  return spec.path.endsWith('.gz') ? gzipSync(text, { level: 1 }) : text;
}

const EDITORIAL_ORIGIN = 'http://saltmarsh.test';

/** The bytes that are the newspaper's own: no ads, no tokens, a fixed origin. Digests are computed over these. */
export const editorialBytes = (spec: NewsPageSpec, rendered: Rendered): Buffer =>
  bodyBytes(spec, rendered, (name) => (name === 'origin' ? EDITORIAL_ORIGIN : ''));
