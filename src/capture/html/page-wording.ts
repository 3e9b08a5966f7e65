import type { PageWording } from '../../model/page-wording.ts';
import { linkResolver } from '../scope/normalise.ts';
import { words } from '../words.ts';
import { readTokens } from './html-tokens.ts';

/** Elements at whose edges a reader sees a new paragraph. */
const BREAKS = words(
  'address article aside blockquote body br button caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr li main nav ol option p pre section select summary table tbody td tfoot th thead tr ul',
);
/** Elements that name a page. Further headings name its parts. */
const NAMING = words('h1 h2');
const NAMES_READ = 3;
/** Elements whose content nobody reads. */
const UNREAD = words('script style noscript template iframe xmp noembed noframes textarea');

const single = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function pageWording(html: string, url: string): PageWording {
  const names: string[] = [];
  const links: { href: string; label: string }[] = [];
  const texts: string[] = [];
  let base: string | undefined;
  let paragraph = '';
  let naming: string | undefined;
  let link: { href: string; label: string } | undefined;

  const endParagraph = (): void => {
    const text = single(paragraph);
    if (text !== '') texts.push(text);
    paragraph = '';
  };
  const endLink = (): void => {
    if (link) links.push({ href: link.href, label: single(link.label) });
    link = undefined;
  };
  readTokens(html, {
    doctype: () => {},
    comment: () => {},
    doubt: () => {},
    start(name, attributes) {
      if (name === 'base') base ??= attributes['href'];
      if (BREAKS.has(name)) endParagraph();
      if (NAMING.has(name) && names.length < NAMES_READ) naming = '';
      if (name !== 'a') return;
      endLink();
      const { href } = attributes;
      if (href !== undefined) link = { href, label: '' };
    },
    end(name) {
      if (BREAKS.has(name)) endParagraph();
      if (name === 'a') endLink();
      if (naming !== undefined && NAMING.has(name)) {
        if (single(naming) !== '') names.push(single(naming));
        naming = undefined;
      }
    },
    text(text) {
      if (naming !== undefined) naming += text;
      if (link) link.label += text;
      // The text of a link is not the page's own.
      else paragraph += text;
    },
    content(name, text) {
      if (name === 'title' && single(text) !== '') names.unshift(single(text));
      else if (!UNREAD.has(name)) paragraph += text;
    },
  });
  endLink();
  endParagraph();
  const resolve = linkResolver(baseOf(base, url));
  return {
    names: names.slice(0, NAMES_READ),
    links: links.flatMap(({ href, label }) => {
      const target = resolve(href.trim());
      return target === undefined || label === '' ? [] : [{ url: target, label }];
    }),
    texts,
  };
}

const baseOf = (base: string | undefined, url: string): string =>
  base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
