import { guardedSource, withoutHints } from './defuse.ts';
import {
  type Any,
  type Around,
  add,
  defineProperty,
  filter,
  getOwnPropertyDescriptor,
  getter,
  has,
  lower,
  replace,
  test,
  text,
  uncurried,
  wrap,
} from './natives.ts';
import type { Realm } from './realm.ts';

const ACTING = /^(?:rel|srcdoc)$/i;
const DOMAIN = /;\s*domain\s*=[^;]*/gi;

/** Attributes that act at once on an element of the document: `rel` of a link, `srcdoc` of a frame. */
export function protectAttributes(realm: Realm): void {
  const { window, localName, nodeType, sweep } = realm;
  const harmless = (element: Any, name: string, value: string): string => {
    const tag = localName(element);
    if (tag === 'link' && name === 'rel') return withoutHints(value);
    if (tag === 'iframe' && name === 'srcdoc') return guardedSource(value);
    return value;
  };
  const named =
    (name: number, value: number): Around =>
    (native, self, args) => {
      const given = [...args];
      if (given.length > value) given[value] = harmless(self, lower(text(given[name])), text(given[value]));
      try {
        return native(self, ...given);
      } finally {
        sweep();
      }
    };
  wrap(window.Element.prototype, 'setAttribute', named(0, 1));
  wrap(window.Element.prototype, 'setAttributeNS', named(1, 2));
  const reflected =
    (name: string): Around =>
    (native, self, args) => {
      native(self, harmless(self, name, text(args[0])));
      sweep();
    };
  wrap(window.HTMLLinkElement.prototype, 'rel', reflected('rel'));
  wrap(window.HTMLIFrameElement.prototype, 'srcdoc', reflected('srcdoc'));

  // Ways around these that no page needs for these names.
  const nameOf = getter(window.Attr.prototype, 'name');
  const elementOf = getter(window.Attr.prototype, 'ownerElement');
  const isActing = (attribute: Any): boolean => {
    try {
      return test(ACTING, nameOf(attribute));
    } catch {
      return false;
    }
  };
  const refusing: Around = (native, self, args) => {
    for (let i = 0; i < args.length; i++) {
      if (args[i] && typeof args[i] === 'object' && isActing(args[i])) return null;
    }
    return native(self, ...args);
  };
  for (const name of ['setAttributeNode', 'setAttributeNodeNS'])
    wrap(window.Element.prototype, name, refusing);
  for (const name of ['setNamedItem', 'setNamedItemNS']) wrap(window.NamedNodeMap.prototype, name, refusing);
  wrap(window.Attr.prototype, 'value', (native, self, args) => {
    const element = isActing(self) ? elementOf(self) : null;
    native(self, element ? harmless(element, lower(nameOf(self)), text(args[0])) : args[0]);
    sweep();
  });
  for (const name of ['nodeValue', 'textContent']) {
    wrap(window.Node.prototype, name, (native, self, args) =>
      nodeType(self) === 2 && isActing(self) ? undefined : native(self, ...args),
    );
  }
  protectRelations(window);
  // A cookie for the domain above would reach the other archived sites of a deployment.
  wrap(window.Document.prototype, 'cookie', (native, self, args) =>
    native(self, replace(text(args[0]), DOMAIN, '')),
  );
}

/** `link.relList`. Other lists of tokens, such as `classList`, take any word. */
function protectRelations(window: Any): void {
  const links = new WeakSet<object>();
  const relList = getOwnPropertyDescriptor(window.HTMLLinkElement.prototype, 'relList') as Any;
  if (relList?.get) {
    const get = uncurried(relList.get);
    defineProperty(window.HTMLLinkElement.prototype, 'relList', {
      ...relList,
      get(this: Any) {
        const list = get(this);
        add(links, list);
        return list;
      },
      set: undefined,
    });
  }
  const tokens: Around = (native, self, args) =>
    native(self, ...filter(args, (one: Any) => withoutHints(text(one)) === text(one) || !has(links, self)));
  for (const name of ['add', 'replace', 'toggle', 'value']) wrap(window.DOMTokenList.prototype, name, tokens);
}
