import { linksOf, numbers, pagePath, sentence } from './made-up.ts';
import type { Site } from './site.ts';

const PAGE_BYTES = 20_000;
const LINKS = 30;

/** Pages of HTML alone, about 20 KB and 30 links each. */
export const plainSite = (count: number): Site => siteOf(count, 'en', sentence);

/** The same in words of French, and declared so: what languages are told from. */
export const frenchSite = (count: number): Site => siteOf(count, 'fr', frenchWords);

type Words = typeof sentence;

function siteOf(count: number, language: string, words: Words): Site {
  const files = new Map<string, { type: string; body: Buffer }>();
  for (let n = 0; n < count; n++)
    files.set(pagePath(n), { type: 'text/html; charset=utf-8', body: page(n, count, language, words) });
  return { files, pages: count };
}

const FRENCH = (
  'le la les un une des de du et est dans pour avec sur que qui ne pas plus bibliothèque livre page histoire ville année maison ' +
  'travail enfant monde chaque depuis toujours entre après avant lire écrire conserver publier donner trouver'
).split(' ');

const frenchWords: Words = (next, length) =>
  Array.from({ length }, () => FRENCH[next(FRENCH.length)]).join(' ');

function page(n: number, count: number, language: string, words: Words): Buffer {
  const next = numbers(n + 1000);
  const items = linksOf(n, count, LINKS).map(
    (to) => `<li class="teaser"><a href="${pagePath(to)}" title="Story ${to}">${words(next, 6)}</a></li>\n`,
  );
  const parts = [
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><title>Story ${n}</title></head>\n<body>\n`,
    `<h1>${words(next, 7)}</h1>\n<ul class="stories">\n${items.join('')}</ul>\n<article>\n`,
  ];
  let length = parts.join('').length;
  while (length < PAGE_BYTES - 40) {
    const paragraph = `<p class="body">${words(next, 60)}.</p>\n`;
    parts.push(paragraph);
    length += paragraph.length;
  }
  parts.push('</article></body></html>\n');
  return Buffer.from(parts.join(''));
}
