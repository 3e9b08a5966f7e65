import { linksOf, numbers, pagePath, sentence } from './made-up.ts';
import type { Site } from './site.ts';

const PAGE_BYTES = 20_000;
const LINKS = 30;

/** Pages of HTML alone, about 20 KB and 30 links each. */
export function plainSite(count: number): Site {
  const files = new Map<string, { type: string; body: Buffer }>();
  for (let n = 0; n < count; n++)
    files.set(pagePath(n), { type: 'text/html; charset=utf-8', body: page(n, count) });
  return { files, pages: count };
}

function page(n: number, count: number): Buffer {
  const next = numbers(n + 1000);
  const items = linksOf(n, count, LINKS).map(
    (to) =>
      `<li class="teaser"><a href="${pagePath(to)}" title="Story ${to}">${sentence(next, 6)}</a></li>\n`,
  );
  const parts = [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Story ${n}</title></head>\n<body>\n`,
    `<h1>${sentence(next, 7)}</h1>\n<ul class="stories">\n${items.join('')}</ul>\n<article>\n`,
  ];
  let length = parts.join('').length;
  while (length < PAGE_BYTES - 40) {
    const paragraph = `<p class="body">${sentence(next, 60)}.</p>\n`;
    parts.push(paragraph);
    length += paragraph.length;
  }
  parts.push('</article></body></html>\n');
  return Buffer.from(parts.join(''));
}
