/** Feeds and sitemaps. Absolute URLs leave a hole for the origin. */
import type { Item, NewsContent, NewsPageSpec } from '../content.ts';
import { httpTime } from '../days.ts';
import { escapeHtml as esc, hole } from './parts.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const url = (href = '/'): string => hole('origin') + esc(href);
const items = (content: NewsContent): readonly Item[] => content.blocks[0]?.items ?? [];

export function rss(spec: NewsPageSpec, content: NewsContent): string {
  const home = spec.section ? `/${spec.section}/` : '/';
  const list = items(content).map(
    ({ key, link, text, label }) =>
      `<item><title>${esc(link?.text ?? '')}</title><link>${url(link?.href)}</link><guid isPermaLink="false">${key}</guid><pubDate>${httpTime(Date.parse(label ?? ''))}</pubDate><description>${esc(text ?? '')}</description></item>`,
  );
  return `${HEAD}<rss version="2.0"><channel><title>${esc(content.title)}</title><link>${url(home)}</link><description>${esc(content.title)}</description>\n${list.join('\n')}\n</channel></rss>\n`;
}

export function atom(spec: NewsPageSpec, content: NewsContent): string {
  const updated =
    items(content)
      .map(({ label = '' }) => label)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00Z';
  const list = items(content).map(
    ({ key, link, text, label }) =>
      `<entry><title>${esc(link?.text ?? '')}</title><link href="${url(link?.href)}"/><id>urn:saltmarsh:${key}</id><updated>${label}</updated><summary>${esc(text ?? '')}</summary></entry>`,
  );
  return `${HEAD}<feed xmlns="http://www.w3.org/2005/Atom"><title>${esc(content.title)}</title><id>urn:saltmarsh:feed:${spec.section ?? 'all'}</id><author><name>${esc(content.title)}</name></author><link rel="self" href="${url(spec.path)}"/><updated>${updated}</updated>\n${list.join('\n')}\n</feed>\n`;
}

const SITEMAP_NS = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function sitemap(content: NewsContent): string {
  const list = items(content).map(
    ({ link, text, label }) =>
      `<url><loc>${url(link?.href)}</loc>${label === undefined ? '' : `<lastmod>${label}</lastmod>`}${text === undefined ? '' : `<changefreq>${text}</changefreq>`}</url>`,
  );
  return `${HEAD}<urlset xmlns="${SITEMAP_NS}">\n${list.join('\n')}\n</urlset>\n`;
}

export function sitemapIndex(content: NewsContent): string {
  const list = items(content).map(({ link }) => `<sitemap><loc>${url(link?.href)}</loc></sitemap>`);
  return `${HEAD}<sitemapindex xmlns="${SITEMAP_NS}">\n${list.join('\n')}\n</sitemapindex>\n`;
}
