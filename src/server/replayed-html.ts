import { RewritingStream } from 'parse5-html-rewriting-stream';

/**
 * Archived HTML before the service worker rewrites it: as UTF-8, so that the browser and the rewriter read the same
 * tags whatever the encoding (ISO-2022-JP hides tags from one of them), and without elements that make a browser
 * open connections outside any content security policy.
 */

export interface HtmlOptions {
  /** Whether archived scripts will run. */
  readonly scripts: boolean;
}

/** Connections and look-ups that no content security policy covers. */
const HINTS = new Set(['dns-prefetch', 'preconnect', 'prefetch', 'prerender', 'compression-dictionary']);
/** Without scripts they are of no use. */
const SCRIPT_HINTS = new Set(['modulepreload', 'preload', 'manifest', 'pingback']);
const ACTING_METAS = new Set([
  'accept-ch',
  'content-security-policy',
  'delegate-ch',
  'origin-trial',
  'set-cookie',
  'x-dns-prefetch-control',
]);
const EMBEDDED = new Set(['object', 'embed', 'applet', 'portal', 'fencedframe']);

/** Every change that is made where scripts run needs one of these: in the name of a tag or attribute, or in a value. */
const CHANGED = new RegExp(
  [...HINTS, ...ACTING_METAS, 'speculationrules', 'srcdoc', '<embed'].join('|'),
  'iu',
);

/**
 * Most pages are not changed, and parsing is most of what a document costs: they are told by words that stand nowhere in them. Values may
 * be spelt by character references, of which the numeric ones alone can stand for a letter or hyphen of these words (`&fjlig;`
 * is the only other that makes letters).
 */
function staysAsItIs(html: string): boolean {
  if (CHANGED.test(html)) return false;
  return !html.includes('&#') || !CHANGED.test(html.replace(/&#(?:(\d+)|x([\da-f]+));?/giu, referred));
}

function referred(_: string, decimal: string | undefined, hexadecimal = ''): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  return code < 0x80 ? String.fromCharCode(code) : ' ';
}

type Attributes = { name: string; value: string }[];

const valueNamed = (attributes: Attributes, name: string): string | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value;

/** Stands first in documents inside documents, which the worker does not see. */
export const GUARD_SCRIPT = '/static/guard.js';

/** Documents inside documents; browsers show no more of them. */
const DEEPEST = 8;

export async function replayedHtml(html: string, { scripts }: HtmlOptions, depth = 0): Promise<string> {
  if (scripts && staysAsItIs(html)) return html;
  const inner: string[] = [];
  const stream = new RewritingStream();
  /** Depth of elements whose content is left out. */
  let left: string | undefined;
  stream.on('startTag', (tag, raw) => {
    const name = tag.tagName;
    if (left !== undefined) return;
    if (name === 'script' && leavesScript(tag.attrs, scripts)) {
      if (!tag.selfClosing) left = name;
      return;
    }
    if (name === 'link' && isHint(tag.attrs, scripts)) return;
    if (name === 'meta' && actsOnBrowser(tag.attrs, scripts)) return;
    // What stands between the tags is for browsers without scripts: this is one.
    if (!scripts && name === 'noscript') return;
    if (!scripts && EMBEDDED.has(name)) return;
    const attributes = setAside(keptAttributes(name, tag.attrs, scripts), inner);
    // Only a tag that changes is written anew: what is no clean HTML stays as it is.
    if (attributes === tag.attrs) stream.emitRaw(raw);
    else stream.emitStartTag({ ...tag, attrs: attributes });
    // wabac makes an iframe of it, and ends that where the embed ends, which it never does: all that follows would be
    // the text of that frame, or the end of the next script would be taken for its end.
    if (name === 'embed') stream.emitRaw('</embed>');
  });
  stream.on('endTag', (tag, raw) => {
    if (left !== undefined) {
      if (tag.tagName === left) left = undefined;
      return;
    }
    if (!scripts && (tag.tagName === 'noscript' || EMBEDDED.has(tag.tagName))) return;
    stream.emitRaw(raw);
  });
  stream.on('text', (_token, raw) => {
    if (left === undefined) stream.emitRaw(raw);
  });
  let result = '';
  stream.on('data', (piece: string | Buffer) => {
    result += String(piece);
  });
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
  });
  stream.end(html);
  await ended;
  for (const [index, document] of inner.entries()) {
    const prepared = depth < DEEPEST ? await replayedHtml(document, { scripts }, depth + 1) : '';
    const guarded = scripts ? `<script src="${GUARD_SCRIPT}"></script>${prepared}` : prepared;
    const escaped = guarded.replace(/&/gu, '&amp;').replace(/"/gu, '&quot;');
    result = result.replace(placeOf(index), () => escaped);
  }
  return result;
}

const placeOf = (index: number): string => `daguerre-inner-document-${index};`;

/** A document in an attribute is prepared like any other, once the one around it is. */
function setAside(attributes: Attributes, inner: string[]): Attributes {
  if (valueNamed(attributes, 'srcdoc') === undefined) return attributes;
  return attributes.map((attribute) => {
    if (attribute.name !== 'srcdoc') return attribute;
    return { ...attribute, value: placeOf(inner.push(attribute.value) - 1) };
  });
}

function leavesScript(attributes: Attributes, scripts: boolean): boolean {
  return !scripts || valueNamed(attributes, 'type')?.trim().toLowerCase() === 'speculationrules';
}

function keptAttributes(tag: string, attributes: Attributes, scripts: boolean): Attributes {
  let kept = attributes;
  if (!scripts && kept.some(({ name, value }) => isActive(name, value))) {
    kept = kept.filter(({ name, value }) => !isActive(name, value));
  }
  if (tag !== 'link' || !kept.some(({ name, value }) => name === 'rel' && hasHint(value, scripts)))
    return kept;
  return kept.map((attribute) =>
    attribute.name === 'rel' ? { ...attribute, value: withoutHints(attribute.value, scripts) } : attribute,
  );
}

const relations = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter(Boolean);

const isHintRelation = (relation: string, scripts: boolean): boolean =>
  HINTS.has(relation) || (!scripts && SCRIPT_HINTS.has(relation));

function isHint(attributes: Attributes, scripts: boolean): boolean {
  const all = relations(valueNamed(attributes, 'rel') ?? '');
  return all.length > 0 && all.every((one) => isHintRelation(one, scripts));
}

const hasHint = (rel: string, scripts: boolean): boolean =>
  relations(rel).some((one) => isHintRelation(one, scripts));

/** `rel="preconnect stylesheet"`: the style sheet stays. */
const withoutHints = (rel: string, scripts: boolean): string =>
  relations(rel)
    .filter((one) => !isHintRelation(one, scripts))
    .join(' ');

function actsOnBrowser(attributes: Attributes, scripts: boolean): boolean {
  const kind = valueNamed(attributes, 'http-equiv')?.trim().toLowerCase();
  if (kind === undefined) return false;
  return ACTING_METAS.has(kind) || (!scripts && kind === 'refresh');
}

/** Attributes that run a script or send something when the visitor acts. */
function isActive(name: string, value: string): boolean {
  if (/^on/iu.test(name) || name === 'ping' || name === 'attributionsrc') return true;
  // Browsers skip control characters and blanks in a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /^javascript:/iu.test(value.replace(/[\u0000-\u0020]+/gu, ''));
}
