import { type Any, filter, join, lower, split, startsWith, test } from './natives.ts';
import type { Realm } from './realm.ts';

/** Elements that act as soon as they are in the document, made harmless before. */

const HINTS = /^(?:dns-prefetch|preconnect|prefetch|prerender|compression-dictionary)$/;

/** Stands first in `srcdoc` documents, which the worker does not see; as in src/server/replayed-html.ts. */
export const GUARD_ELEMENT = '<script src="/static/guard.js"></script>';

export const guardedSource = (html: string): string =>
  startsWith(html, GUARD_ELEMENT) ? html : GUARD_ELEMENT + html;

export const withoutHints = (rel: string): string =>
  join(
    filter(split(rel, /\s+/), (one: string) => one !== '' && !test(HINTS, lower(one))),
    ' ',
  );

/** The element or fragment, and all inside it. */
export function defuseTree(realm: Realm, node: Any): void {
  const type = realm.nodeType(node);
  if (type !== 1 && type !== 11) return;
  if (type === 1) defuse(realm, node);
  const inside = realm.inside(node, '*');
  for (let i = 0; i < inside.length; i++) defuse(realm, inside[i]);
}

function defuse(realm: Realm, element: Any): void {
  const { getAttribute, setAttribute, removeAttribute } = realm;
  const name = realm.localName(element);
  if (name === 'link') {
    const rel = getAttribute(element, 'rel');
    if (rel !== null && withoutHints(rel) !== rel) setAttribute(element, 'rel', withoutHints(rel));
  } else if (name === 'iframe') {
    const html = getAttribute(element, 'srcdoc');
    if (html !== null && guardedSource(html) !== html) setAttribute(element, 'srcdoc', guardedSource(html));
  } else if (name === 'meta') {
    if (lower(getAttribute(element, 'http-equiv') ?? '') === 'x-dns-prefetch-control')
      removeAttribute(element, 'http-equiv');
  } else if (name === 'script') {
    if (lower(getAttribute(element, 'type') ?? '') === 'speculationrules') setAttribute(element, 'type', 'x');
  } else if (name === 'template') {
    defuseTree(realm, realm.templateContent(element));
  }
}
