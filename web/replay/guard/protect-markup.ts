import { defuseTree, GUARD_ELEMENT } from './defuse.ts';
import {
  type Any,
  type Around,
  getOwnPropertyDescriptor,
  getter,
  join,
  replace,
  split,
  test,
  text,
  uncurried,
  wrap,
} from './natives.ts';
import type { Realm } from './realm.ts';

const RISKY = /<(?:i?frame|link|meta|object|embed|portal|fencedframe|script|template)/i;
const AFTER_FRAME = /(?<=<\/i?frame\s*>)/i;
const LINK = /<link\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const HINTING = /dns-prefetch|preconnect|prefetch|prerender|compression-dictionary/i;
const ESCAPED_GUARD = GUARD_ELEMENT.replace(/[&"'<>]/g, (c) => `&#${c.charCodeAt(0)};`);

/** HTML as text: parsed where nothing loads or runs, made harmless, then put in place. */
export function protectMarkup(realm: Realm, watch: (root: Any) => void): void {
  const { window, sweep } = realm;
  const inert = window.document.implementation.createHTMLDocument('');
  const createElement = uncurried(window.Document.prototype.createElement);
  const setInner = uncurried(getOwnPropertyDescriptor(window.Element.prototype, 'innerHTML')?.set);
  const getInner = getter(window.Element.prototype, 'innerHTML');
  const harmless = (html: string): string => {
    if (!test(RISKY, html)) return html;
    const holder = createElement(inert, 'template');
    setInner(holder, html);
    defuseTree(realm, realm.templateContent(holder));
    return getInner(holder);
  };
  const markup =
    (at: number): Around =>
    (native, self, args) => {
      const given = [...args];
      if (given.length > at && given[at] !== null) given[at] = harmless(text(given[at]));
      try {
        return native(self, ...given);
      } finally {
        sweep();
      }
    };
  for (const owner of ['Element', 'ShadowRoot']) {
    for (const name of ['innerHTML', 'outerHTML', 'setHTMLUnsafe', 'setHTML'])
      wrap(window[owner]?.prototype, name, markup(0));
  }
  wrap(window.Element.prototype, 'insertAdjacentHTML', markup(1));
  wrap(window.Range.prototype, 'createContextualFragment', markup(0));
  wrap(window.Document.prototype, 'execCommand', markup(2));
  for (const name of ['write', 'writeln']) {
    wrap(window.Document.prototype, name, (native, self, args) => {
      const html = join(args, '');
      // A frame, then whatever follows: so that scripts in the same text meet a guarded frame.
      const pieces = test(RISKY, html) ? split(written(html), AFTER_FRAME) : [html];
      for (let i = 0; i < pieces.length; i++) {
        native(self, pieces[i]);
        sweep();
      }
      if (name === 'writeln') native(self, '\n');
    });
  }
  wrap(window.Document.prototype, 'open', (native, self, args) => {
    const result = native(self, ...args);
    // It has taken our listeners away with all others.
    watch(self);
    return result;
  });
}

/** What is written may be a part of a tag, which no parser takes: text is all that can be looked at. */
const written = (html: string): string =>
  replace(
    replace(html, LINK, (tag: string) => (test(HINTING, tag) ? '' : tag)),
    /(\ssrcdoc\s*=\s*["']?)/gi,
    `$1${ESCAPED_GUARD}`,
  );
