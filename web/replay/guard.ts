import { holdPeerConnections } from './peer-connections.ts';

/**
 * Runs before any archived script, in every document that the worker sends and in every realm that a page makes:
 * takes away what opens connections outside the content security policy (WebRTC above all), and keeps it away in
 * frames, which come with constructors of their own. docs/replay.md says what it cannot catch.
 *
 * One function without outside names: it is written into documents as text, and applied to other realms.
 */
function guardRealm(given: Window): void {
  // biome-ignore lint/suspicious/noExplicitAny: this code handles the properties of foreign realms.
  type Any = any;
  const seen = new WeakSet<object>();
  // Archived scripts may replace what we call later: keep our own.
  const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
  const uncurried =
    (f: Any): Any =>
    (self: Any, ...args: Any[]) =>
      apply(f, self, args);
  const has = uncurried(WeakSet.prototype.has);
  const add = uncurried(WeakSet.prototype.add);
  const lower = uncurried(String.prototype.toLowerCase);
  const split = uncurried(String.prototype.split);
  const filter = uncurried(Array.prototype.filter);
  const join = uncurried(Array.prototype.join);
  const test = uncurried(RegExp.prototype.test);
  const text = String;

  const CONNECTING = [
    'RTCPeerConnection',
    'webkitRTCPeerConnection',
    'mozRTCPeerConnection',
    'RTCIceTransport',
    'RTCIceGatherer',
    'RTCQuicTransport',
    'WebTransport',
    'WebSocketStream',
    'TCPSocket',
    'TCPServerSocket',
    'UDPSocket',
    'PresentationRequest',
    'PaymentRequest',
    'HTMLFencedFrameElement',
    'FencedFrameConfig',
    'cookieStore',
    'CookieStore',
    'sharedStorage',
    'fetchLater',
    'launchQueue',
  ];
  const NAVIGATOR = [
    'serviceWorker',
    'joinAdInterestGroup',
    'runAdAuction',
    'registerProtocolHandler',
    'presentation',
    'bluetooth',
    'usb',
    'serial',
    'hid',
  ];
  const HINTS = /^(?:dns-prefetch|preconnect|prefetch|prerender|compression-dictionary)$/;
  const RISKY = /<(?:i?frame|link|meta|object|embed|portal|fencedframe|script|template)/i;
  const FRAMES = 'iframe,frame,object,embed';

  const remove = (from: Any, names: readonly string[]): void => {
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      for (let on = from; on; on = Object.getPrototypeOf(on)) {
        if (!getOwnPropertyDescriptor(on, name)) continue;
        if (!deleteProperty(on, name)) defineProperty(on, name, { value: undefined });
      }
    }
  };

  const guard = (realm: Any): void => {
    let document: Any;
    try {
      document = realm.document;
    } catch {
      return; // Another origin: its own documents are guarded.
    }
    if (!document || has(seen, document)) return;
    add(seen, document);
    // A fresh document has no header that says so, and Firefox looks up the hosts of links.
    const off = document.createElement('meta');
    off.httpEquiv = 'x-dns-prefetch-control';
    off.content = 'off';
    document.head?.append(off);
    off.remove();
    remove(realm, CONNECTING);
    remove(realm.navigator, NAVIGATOR);
    protect(realm, document);
  };

  /** Wraps a method or a setter of every prototype that has it. */
  const protect = (realm: Any, document: Any): void => {
    const querySelectorAll = uncurried(realm.DocumentFragment.prototype.querySelectorAll);
    const queryElement = uncurried(realm.Element.prototype.querySelectorAll);
    const getAttribute = uncurried(realm.Element.prototype.getAttribute);
    const setAttribute = uncurried(realm.Element.prototype.setAttribute);
    const removeAttribute = uncurried(realm.Element.prototype.removeAttribute);
    const localName = uncurried(getOwnPropertyDescriptor(realm.Element.prototype, 'localName')?.get);
    const nodeType = uncurried(getOwnPropertyDescriptor(realm.Node.prototype, 'nodeType')?.get);
    const content = uncurried(getOwnPropertyDescriptor(realm.HTMLTemplateElement.prototype, 'content')?.get);
    const length = uncurried(getOwnPropertyDescriptor(realm, 'length')?.get ?? (() => realm.length));
    const frameWindow = uncurried(
      getOwnPropertyDescriptor(realm.HTMLIFrameElement.prototype, 'contentWindow')?.get,
    );

    /** All frames of the document tree, in reach of archived scripts by `window[0]`. */
    const sweep = (): void => {
      const count = length(realm);
      for (let i = 0; i < count; i++) guard(realm[i]);
    };

    const withoutHints = (rel: string): string =>
      join(
        filter(split(rel, /\s+/), (one: string) => one !== '' && !test(HINTS, lower(one))),
        ' ',
      );
    const guardedSource = (html: string): string => `<script>${SOURCE}</script>${html}`;

    /** Makes one element harmless before it is in the document, where it would act at once. */
    const defuse = (element: Any): void => {
      const name = localName(element);
      if (name === 'link') {
        const rel = getAttribute(element, 'rel');
        if (rel !== null && withoutHints(rel) !== rel) setAttribute(element, 'rel', withoutHints(rel));
      } else if (name === 'iframe') {
        const html = getAttribute(element, 'srcdoc');
        if (html !== null && !html.startsWith(`<script>${SOURCE.slice(0, 40)}`))
          setAttribute(element, 'srcdoc', guardedSource(html));
      } else if (name === 'meta') {
        if (lower(getAttribute(element, 'http-equiv') ?? '') === 'x-dns-prefetch-control')
          removeAttribute(element, 'http-equiv');
      } else if (name === 'script') {
        if (lower(getAttribute(element, 'type') ?? '') === 'speculationrules')
          setAttribute(element, 'type', 'x');
      } else if (name === 'template') {
        defuseTree(content(element));
      }
    };

    const defuseTree = (node: Any): void => {
      const type = nodeType(node);
      if (type !== 1 && type !== 11) return;
      if (type === 1) defuse(node);
      const inside = type === 1 ? queryElement(node, '*') : querySelectorAll(node, '*');
      for (let i = 0; i < inside.length; i++) defuse(inside[i]);
    };

    const wrap = (owner: Any, name: string, around: (native: Any, self: Any, args: Any[]) => Any): void => {
      const found = owner && getOwnPropertyDescriptor(owner, name);
      if (!found) return;
      const { value, get, set } = found as Any;
      if (typeof value === 'function') {
        const wrapped = {
          [name](this: Any, ...args: Any[]) {
            return around(uncurried(value), this, args);
          },
        }[name];
        defineProperty(owner, name, { ...found, value: wrapped });
      } else if (set) {
        const wrapped = {
          set [name](to: Any) {
            around(uncurried(set), this, [to]);
          },
        };
        const setter = getOwnPropertyDescriptor(wrapped, name)?.set as Any;
        defineProperty(owner, name, {
          configurable: true,
          enumerable: found.enumerable ?? true,
          get,
          set: setter,
        } as Any);
      }
    };

    /** Insertions of nodes: each frame goes in on its own, after the rest, so that no script runs in between. */
    const insert = (native: Any, self: Any, args: Any[]): Any => {
      const late: [Any, Any][] = [];
      for (let i = 0; i < args.length; i++) {
        const node = args[i];
        if (node === null || typeof node !== 'object' || !isNode(node)) continue;
        defuseTree(node);
        const type = nodeType(node);
        if (type === 1 || type === 11) {
          const frames = type === 1 ? queryElement(node, FRAMES) : querySelectorAll(node, FRAMES);
          const others =
            frames.length > 0 && (type === 1 ? queryElement(node, '*') : querySelectorAll(node, '*'));
          if (others && others.length > frames.length) {
            for (let k = 0; k < frames.length; k++) {
              const mark = realm.document.createComment('');
              replaceWith(frames[k], mark);
              late[late.length] = [mark, frames[k]];
            }
          }
        }
      }
      try {
        return native(self, ...args);
      } finally {
        sweep();
        for (let i = 0; i < late.length; i++) {
          const [mark, frame] = late[i] as [Any, Any];
          replaceComment(mark, frame);
          sweep();
        }
      }
    };
    const isNode = (value: Any): boolean => {
      try {
        nodeType(value);
        return true;
      } catch {
        return false;
      }
    };
    const replaceWith = uncurried(realm.Element.prototype.replaceWith);
    const replaceComment = uncurried(realm.CharacterData.prototype.replaceWith);

    const { prototype: node } = realm.Node;
    for (const name of ['appendChild', 'insertBefore', 'replaceChild']) wrap(node, name, insert);
    const owners = [
      'Element',
      'Document',
      'DocumentFragment',
      'CharacterData',
      'DocumentType',
      'ShadowRoot',
      'Range',
    ];
    const inserting = [
      'append',
      'prepend',
      'replaceChildren',
      'before',
      'after',
      'replaceWith',
      'insertAdjacentElement',
      'moveBefore',
      'insertNode',
      'surroundContents',
    ];
    for (const owner of owners) for (const name of inserting) wrap(realm[owner]?.prototype, name, insert);
    wrap(realm.Document.prototype, 'body', insert);

    /** HTML as text: parsed where nothing loads or runs, made harmless, then put in place as nodes. */
    const inert = realm.document.implementation.createHTMLDocument('');
    const createElement = uncurried(realm.Document.prototype.createElement);
    const setInner = uncurried(getOwnPropertyDescriptor(realm.Element.prototype, 'innerHTML')?.set);
    const getInner = uncurried(getOwnPropertyDescriptor(realm.Element.prototype, 'innerHTML')?.get);
    const harmless = (html: string): string => {
      if (!test(RISKY, html)) return html;
      const holder = createElement(inert, 'template');
      setInner(holder, html);
      defuseTree(content(holder));
      return getInner(holder);
    };
    const markup =
      (at: number) =>
      (native: Any, self: Any, args: Any[]): Any => {
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
        wrap(realm[owner]?.prototype, name, markup(0));
    }
    wrap(realm.Element.prototype, 'insertAdjacentHTML', markup(1));
    wrap(realm.Range.prototype, 'createContextualFragment', markup(0));
    wrap(realm.Document.prototype, 'execCommand', markup(2));
    for (const name of ['write', 'writeln']) {
      wrap(realm.Document.prototype, name, (native, self, args) => {
        const html = join(args, '');
        // A frame, then whatever follows: so that scripts in the same text meet a guarded frame.
        const pieces = test(RISKY, html) ? split(written(html), SPLIT) : [html];
        for (let i = 0; i < pieces.length; i++) {
          native(self, pieces[i]);
          sweep();
        }
        if (name === 'writeln') native(self, '\n');
      });
    }
    const SPLIT = /(?<=<\/i?frame\s*>)/i;
    const replace = uncurried(String.prototype.replace);
    const written = (html: string): string =>
      replace(
        replace(html, /<link\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi, (tag: string) =>
          /dns-prefetch|preconnect|prefetch|prerender|compression-dictionary/i.test(tag) ? '' : tag,
        ),
        /(\ssrcdoc\s*=\s*["']?)/gi,
        `$1${replace(guardedSource(''), /[&"'<>]/g, (c: string) => `&#${c.charCodeAt(0)};`)}`,
      );
    wrap(realm.Document.prototype, 'open', (native, self, args) => {
      const result = native(self, ...args);
      // It has taken our listeners away with all others.
      watch(realm, self);
      return result;
    });

    /** Attributes that act at once on an element of the document. */
    const attribute = (element: Any, name: string, value: string): string => {
      const tag = localName(element);
      if (tag === 'link' && name === 'rel') return withoutHints(value);
      if (tag === 'iframe' && name === 'srcdoc') return guardedSource(value);
      return value;
    };
    const named =
      (name: number, value: number) =>
      (native: Any, self: Any, args: Any[]): Any => {
        const given = [...args];
        if (given.length > value)
          given[value] = attribute(self, lower(text(given[name])), text(given[value]));
        try {
          return native(self, ...given);
        } finally {
          sweep();
        }
      };
    wrap(realm.Element.prototype, 'setAttribute', named(0, 1));
    wrap(realm.Element.prototype, 'setAttributeNS', named(1, 2));
    const reflected = (name: string) => (native: Any, self: Any, args: Any[]) => {
      native(self, attribute(self, name, text(args[0])));
      sweep();
    };
    wrap(realm.HTMLLinkElement.prototype, 'rel', reflected('rel'));
    wrap(realm.HTMLIFrameElement.prototype, 'srcdoc', reflected('srcdoc'));
    // Ways around the two above that no page needs for these names.
    const attrOwner = uncurried(getOwnPropertyDescriptor(realm.Attr.prototype, 'name')?.get);
    const attrElement = uncurried(getOwnPropertyDescriptor(realm.Attr.prototype, 'ownerElement')?.get);
    const refusing = (native: Any, self: Any, args: Any[]): Any => {
      for (let i = 0; i < args.length; i++) {
        if (args[i] && typeof args[i] === 'object' && isActing(args[i])) return null;
      }
      return native(self, ...args);
    };
    const isActing = (attr: Any): boolean => {
      try {
        return /^(?:rel|srcdoc)$/i.test(attrOwner(attr));
      } catch {
        return false;
      }
    };
    for (const name of ['setAttributeNode', 'setAttributeNodeNS'])
      wrap(realm.Element.prototype, name, refusing);
    for (const name of ['setNamedItem', 'setNamedItemNS']) wrap(realm.NamedNodeMap.prototype, name, refusing);
    const attrValue = (native: Any, self: Any, args: Any[]): void => {
      const element = isActing(self) ? attrElement(self) : null;
      native(self, element ? attribute(element, lower(attrOwner(self)), text(args[0])) : args[0]);
      sweep();
    };
    wrap(realm.Attr.prototype, 'value', attrValue);
    for (const name of ['nodeValue', 'textContent']) {
      wrap(realm.Node.prototype, name, (native, self, args) =>
        nodeType(self) === 2 && isActing(self) ? undefined : native(self, ...args),
      );
    }
    const tokens = (native: Any, self: Any, args: Any[]): Any =>
      native(
        self,
        ...filter(args, (one: Any) => withoutHints(text(one)) === text(one) || !isLinkTokens(self)),
      );
    const links = new WeakSet<object>();
    const relList = getOwnPropertyDescriptor(realm.HTMLLinkElement.prototype, 'relList') as Any;
    if (relList?.get) {
      const get = uncurried(relList.get);
      defineProperty(realm.HTMLLinkElement.prototype, 'relList', {
        ...relList,
        get(this: Any) {
          const list = get(this);
          add(links, list);
          return list;
        },
        set: undefined,
      });
    }
    const isLinkTokens = (list: Any): boolean => has(links, list);
    for (const name of ['add', 'replace', 'toggle', 'value'])
      wrap(realm.DOMTokenList.prototype, name, tokens);

    /** A frame is guarded whenever it is looked at. */
    for (const owner of ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement', 'HTMLEmbedElement']) {
      for (const name of ['contentWindow', 'contentDocument', 'getSVGDocument']) {
        const found = getOwnPropertyDescriptor(realm[owner]?.prototype ?? {}, name) as Any;
        if (!found?.get) continue;
        const get = uncurried(found.get);
        defineProperty(realm[owner].prototype, name, {
          ...found,
          get(this: Any) {
            const result = get(this);
            const view = name === 'contentDocument' ? result?.defaultView : result;
            if (view) guard(view);
            return result;
          },
        });
      }
    }
    const define = realm.CustomElementRegistry?.prototype;
    wrap(define, 'define', (native, self, args) => {
      if (args[2]?.extends && /^(?:i?frame|object|embed|link)$/i.test(text(args[2].extends)))
        return undefined;
      return native(self, ...args);
    });
    wrap(realm.Element.prototype, 'attachShadow', (native, self, args) => {
      const root = native(self, ...args);
      watchRoot(root);
      return root;
    });
    wrap(realm, 'open', () => null);
    // A cookie for the domain above would reach the other archived sites of a deployment.
    wrap(realm.Document.prototype, 'cookie', (native, self, args) =>
      native(self, replace(text(args[0]), /;\s*domain\s*=[^;]*/gi, '')),
    );

    const listen = uncurried(realm.EventTarget.prototype.addEventListener);
    const observe = uncurried(realm.MutationObserver.prototype.observe);
    const loaded = (event: Any): void => {
      sweep();
      try {
        guard(frameWindow(event.target));
      } catch {
        // No frame.
      }
    };
    const watchRoot = (root: Any): void => {
      listen(root, 'load', loaded, true);
      observe(new realm.MutationObserver(sweep), root, { childList: true, subtree: true });
    };
    const watch = (_realm: Any, root: Any): void => watchRoot(root);
    watch(realm, document);
    sweep();
  };

  /** What stands in front of `srcdoc` documents. */
  const SOURCE = `(${guardRealm.toString()})(window)`;
  guard(given);
}

holdPeerConnections(globalThis);
guardRealm(window);
