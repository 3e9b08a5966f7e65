import {
  type Any,
  add,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getter,
  has,
  uncurried,
} from './natives.ts';
import { protectAttributes } from './protect-attributes.ts';
import { protectFrames } from './protect-frames.ts';
import { protectInsertions } from './protect-insertions.ts';
import { protectMarkup } from './protect-markup.ts';

/** What opens connections outside the content security policy, or reaches what is not the page's. */
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

/** One window and its own natives: each realm comes with constructors and prototypes of its own. */
export interface Realm {
  readonly window: Any;
  readonly document: Any;
  readonly nodeType: Any;
  readonly localName: Any;
  readonly getAttribute: Any;
  readonly setAttribute: Any;
  readonly removeAttribute: Any;
  readonly templateContent: Any;
  /** Elements inside an element or a fragment. */
  readonly inside: (node: Any, selector: string) => Any;
  /** Guards all frames of the document tree, in reach of archived scripts by `window[0]`. */
  readonly sweep: () => void;
  readonly guard: (window: Any) => void;
}

const seen = new WeakSet<object>();

/** Takes away what opens connections, and keeps it away in the frames that this realm will have. */
export function guardRealm(window: Any): void {
  let document: Any;
  try {
    document = window.document;
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
  remove(window, CONNECTING);
  remove(window.navigator, NAVIGATOR);
  const realm = realmOf(window, document);
  protectInsertions(realm);
  protectMarkup(realm, protectFrames(realm));
  protectAttributes(realm);
  realm.sweep();
}

function remove(from: Any, names: readonly string[]): void {
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    for (let on = from; on; on = Object.getPrototypeOf(on)) {
      if (!getOwnPropertyDescriptor(on, name)) continue;
      if (!deleteProperty(on, name)) defineProperty(on, name, { value: undefined });
    }
  }
}

function realmOf(window: Any, document: Any): Realm {
  const { Element, Node, DocumentFragment, HTMLTemplateElement } = window;
  const nodeType = getter(Node.prototype, 'nodeType');
  const inElement = uncurried(Element.prototype.querySelectorAll);
  const inFragment = uncurried(DocumentFragment.prototype.querySelectorAll);
  const length = uncurried(getOwnPropertyDescriptor(window, 'length')?.get ?? (() => window.length));
  return {
    window,
    document,
    nodeType,
    localName: getter(Element.prototype, 'localName'),
    getAttribute: uncurried(Element.prototype.getAttribute),
    setAttribute: uncurried(Element.prototype.setAttribute),
    removeAttribute: uncurried(Element.prototype.removeAttribute),
    templateContent: getter(HTMLTemplateElement.prototype, 'content'),
    inside: (node, selector) => (nodeType(node) === 1 ? inElement : inFragment)(node, selector),
    sweep() {
      const count = length(window);
      for (let i = 0; i < count; i++) guardRealm(window[i]);
    },
    guard: guardRealm,
  };
}
