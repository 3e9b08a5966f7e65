/** Which elements the HTML tree construction (WHATWG §13.2.6) treats alike. */
import { words } from '../words.ts';

export const IN_HEAD = words('base basefont bgsound link meta noframes noscript script style template title');
export const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);
/** These close an open paragraph, and are closed by their own end tag. */
export const BLOCKS = words(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup ' +
    'main menu nav ol search section summary ul pre listing',
);
export const ENDS_BLOCK = new Set([...BLOCKS, 'button']);
export const HEADINGS = words('h1 h2 h3 h4 h5 h6');
export const CELLS = words('td th');
export const SECTIONS = words('tbody tfoot thead');
export const TABLE_PARTS = words('caption col colgroup tbody td tfoot th thead tr');
export const HOLDERS = words('applet marquee object');
export const CLOSES_FOREIGN = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
/** Parts of a drawing in which HTML is allowed. */
export const HTML_IN_FOREIGN = words('foreignobject desc title annotation-xml mi mo mn ms mtext');
export const TABLE_ROOT = words('table template html');
export const SECTION_ROOT = new Set([...SECTIONS, 'template', 'html']);
export const ROW_ROOT = words('tr template html');

/** In quirks mode a table does not end the paragraph before it. */
export function isQuirky(doctype: string): boolean {
  const text = doctype.trim().toLowerCase();
  if (!text.startsWith('html')) return true;
  const known = /^html\s+public\s*["']([^"']*)["']\s*(["'])?/.exec(text);
  if (!known) return /^html\s+system\s*["']http:\/\/www\.ibm\.com/.test(text);
  const id = known[1] as string;
  if (/^-\/\/w3c\/\/dtd html 4\.01 (transitional|frameset)\/\//.test(id)) return known[2] === undefined;
  return /^(-\/\/ietf\/\/|-\/\/w3o\/\/|-\/\/netscape|-\/\/microsoft|-\/\/w3c\/\/dtd (html 3|html 4\.0 (transitional|frameset)|html experimental|w3 html)|html$|-\/w3c\/dtd html 4\.0 transitional)/.test(
    id,
  );
}
