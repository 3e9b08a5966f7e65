import {
  type Any,
  defineProperty,
  getOwnPropertyDescriptor,
  getter,
  test,
  text,
  uncurried,
  wrap,
} from './natives.ts';
import type { Realm } from './realm.ts';

const EXTENDED = /^(?:i?frame|object|embed|link)$/i;

/** A frame is guarded whenever it is looked at, and when it has loaded. Returns how a document or shadow root is watched. */
export function protectFrames({ window, document, sweep, guard }: Realm): (root: Any) => void {
  for (const owner of ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement', 'HTMLEmbedElement']) {
    for (const name of ['contentWindow', 'contentDocument', 'getSVGDocument']) {
      const found = getOwnPropertyDescriptor(window[owner]?.prototype ?? {}, name) as Any;
      if (!found?.get) continue;
      const get = uncurried(found.get);
      defineProperty(window[owner].prototype, name, {
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

  const listen = uncurried(window.EventTarget.prototype.addEventListener);
  const observe = uncurried(window.MutationObserver.prototype.observe);
  const { MutationObserver } = window;
  const frameWindow = getter(window.HTMLIFrameElement.prototype, 'contentWindow');
  const loaded = (event: Any): void => {
    sweep();
    try {
      guard(frameWindow(event.target));
    } catch {
      // No frame.
    }
  };
  const watch = (root: Any): void => {
    listen(root, 'load', loaded, true);
    observe(new MutationObserver(sweep), root, { childList: true, subtree: true });
  };
  wrap(window.Element.prototype, 'attachShadow', (native, self, args) => {
    const root = native(self, ...args);
    watch(root);
    return root;
  });
  // A frame of a class of its own would run that class's code before it is guarded.
  wrap(window.CustomElementRegistry?.prototype, 'define', (native, self, args) => {
    if (args[2]?.extends && test(EXTENDED, text(args[2].extends))) return undefined;
    return native(self, ...args);
  });
  wrap(window, 'open', () => null);
  watch(document);
  return watch;
}
