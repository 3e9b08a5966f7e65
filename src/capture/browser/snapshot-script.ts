/**
 * The walk that makes a PageSnapshot: runs inside the page, in an isolated world, as one expression that returns one JSON
 * string, in the packed form of src/model/snapshot-codec.ts. It reads, and writes nothing.
 *
 * One `DOMSnapshot.captureSnapshot` takes about half the processor time, but returns five times the bytes, no slots, no
 * absolute URLs, and what is typed into fields. Never recursive: pages nest deeper than a stack.
 *
 * Left out: what has no box (`display: none`, closed `details`, `content-visibility: hidden`), what `visibility` hides (its
 * visible descendants stay), leaves without an area, pseudo-elements, values typed or preset in fields. `opacity: 0` stays:
 * pages fade in what they load late. Closed shadow roots cannot be seen. Text is the DOM's, not what `text-transform` makes
 * of it: the same text is found in the HTML.
 */

import { attributeScript, COLOURS, UNCLOBBERED } from './snapshot-values.ts';

export interface SnapshotLimits {
  readonly nodes: number;
  /**
   * UTF-16 units of all texts together. The text that the limit falls on is left out whole (Chromium makes texts of 65,536 at most out
   * of longer ones): cut, it would end elsewhere as soon as a word before it is another, and pass for reworded.
   */
  readonly text: number;
  /** UTF-16 units of one attribute; a longer value is cut and ends with a hash of the whole. */
  readonly attribute: number;
}

export const SNAPSHOT_LIMITS: SnapshotLimits = {
  nodes: 250_000,
  text: 5_000_000,
  attribute: 2048,
};

/** Without a box whatever their style says, or with one of no interest. */
const NEVER_SHOWN =
  'script style link meta head title base template source track param br wbr datalist noframes'.split(' ');

/** One box, and nothing inside is looked at: they show a value, a drawing or a film. */
const ATOMIC = 'input textarea select progress meter img canvas video audio embed hr'.split(' ');

export function snapshotScript(limits: SnapshotLimits = SNAPSHOT_LIMITS): string {
  return `(() => {
  const type = document.contentType;
  if (type !== 'text/html' && type !== 'application/xhtml+xml') return JSON.stringify({ kind: 'none', reason: 'not-html', contentType: type });
  const root = document.body || document.documentElement;
  if (!root) return JSON.stringify({ kind: 'none', reason: 'nothing-shown' });
${UNCLOBBERED}
${COLOURS}
${attributeScript(limits.attribute)}
  const neverShown = new Set(${JSON.stringify(NEVER_SHOWN)});
  const atomic = new Set(${JSON.stringify(ATOMIC)});
  const facts = [];
  let cut;
  const cutFor = (why) => { cut ??= why; tell(why); };
  const tell = (fact) => { if (facts.length < 50 && !facts.includes(fact)) facts.push(fact); };

  const styles = [];
  const styleNumbers = new Map();
  const tags = [];
  const tagNumbers = new Map();
  const tagNumber = (tag) => {
    let at = tagNumbers.get(tag);
    if (at === undefined) { at = tags.push(tag) - 1; tagNumbers.set(tag, at); }
    return at;
  };
  const out = { up: [], tag: [], style: [], x: [], y: [], w: [], h: [], attributes: [], text: [] };
  let textLeft = ${limits.text};
  const round = (value) => Math.round(value * 10) / 10;
  const place = (parent, tag, rect, dx, dy) => {
    const at = out.up.length;
    out.up.push(at - parent);
    out.tag.push(tag);
    out.x.push(round(rect.left + dx));
    out.y.push(round(rect.top + dy));
    out.w.push(round(rect.width));
    out.h.push(round(rect.height));
    return at;
  };
  const takeBack = () => {
    for (const column of ['up', 'tag', 'x', 'y', 'w', 'h', 'style', 'attributes']) out[column].pop();
  };

  const drawn = (width, css) => parseFloat(width) > 0 && colourOf(css).a > 0 ? '1' : '0';
  const bordersOf = (css) => css.borderWidth === '0px' ? '0000'
    : drawn(css.borderTopWidth, css.borderTopColor) + drawn(css.borderRightWidth, css.borderRightColor)
    + drawn(css.borderBottomWidth, css.borderBottomColor) + drawn(css.borderLeftWidth, css.borderLeftColor);
  const styleOf = (css, display, background, own) => {
    const { position, float, fontWeight, fontFamily } = css;
    const fontSize = round(parseFloat(css.fontSize));
    const picture = css.backgroundImage !== 'none' ? 1 : 0;
    const paints = own.a > 0 ? 1 : picture;
    const ink = over(colourOf(css.color), background).hex;
    const borders = bordersOf(css);
    const key = display + '\\n' + position + float + background.hex + paints + picture + ink + fontSize + '/' + fontWeight + borders + fontFamily;
    let at = styleNumbers.get(key);
    if (at === undefined) {
      at = styles.push([display, position, float, background.hex, paints, picture, ink, fontSize, +fontWeight, fontFamily, borders]) - 1;
      styleNumbers.set(key, at);
    }
    return at;
  };

  const blank = /^[\\s\\u200b\\ufeff]*$/;
  const addText = (node, frame) => {
    const raw = node.data;
    if (blank.test(raw)) return;
    frame.range.selectNodeContents(node);
    const rect = frame.range.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) return;
    const text = raw.replace(/\\s+/g, ' ').trim();
    if (text.length > textLeft) {
      cutFor('texts past the limit of ${limits.text} characters are left out');
      textLeft = 0;
      return;
    }
    textLeft -= text.length;
    place(frame.parent, -1, rect, frame.dx, frame.dy);
    out.text.push(text);
  };

  /** The frame's own document, when its page may look into it. */
  const documentIn = (element) => {
    try { return element.contentDocument; } catch { return null; }
  };
  const canvasOf = (view, below) => {
    const html = view.document.documentElement;
    return html ? over(colourOf(view.getComputedStyle(html).backgroundColor), below) : below;
  };

  // A frame of the walk: the next node of a chain of siblings, or a list and how far it is read; the recorded element
  // they are in, what is behind them, whose styles apply, where their document begins on the page, whether their text
  // shows; 'index' names the element to look at again when all are read.
  const under = (frame) => ({ next: null, list: null, at: 0, parent: frame.parent, background: frame.background, view: frame.view,
    range: frame.range, dx: frame.dx, dy: frame.dy, shown: frame.shown, index: -1 });
  const stack = [under({ parent: -1, background: canvasOf(window, colour(255, 255, 255, 1)), view: window,
    range: document.createRange(), dx: scrollX, dy: scrollY, shown: true })];
  stack[0].list = [root];
  // The nodes that show in an element: those of its shadow root, of its slot, its summary alone, or its own.
  const open = (frame, element, tag, css) => {
    if (css.contentVisibility === 'hidden') return;
    frame.next = firstOf.call(shadowOf.call(element) || element);
    if (tag === 'slot' && element.assignedNodes) {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) { frame.next = null; frame.list = assigned; }
    } else if (tag === 'details' && !element.open) {
      frame.next = null;
      frame.list = [...element.children].filter((child) => child.localName === 'summary').slice(0, 1);
    }
  };
  // A leaf without an area shows nothing; nor does what held nothing but such.
  const close = (index) => {
    if (index > 0 && index === out.up.length - 1 && (out.w[index] === 0 || out.h[index] === 0)) takeBack();
  };

  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    let node = frame.next;
    if (node) frame.next = nextOf.call(node);
    else if (frame.list && frame.at < frame.list.length) node = frame.list[frame.at++];
    else {
      stack.pop();
      close(frame.index);
      continue;
    }
    if (out.up.length >= ${limits.nodes}) {
      cutFor('nodes past the limit of ${limits.nodes} are left out');
      break;
    }
    const kind = kindOf.call(node);
    if (kind === 3) {
      if (frame.shown && frame.parent >= 0) addText(node, frame);
      continue;
    }
    if (kind !== 1) continue;
    const tag = nameOf.call(node).toLowerCase();
    if (neverShown.has(tag)) continue;
    const css = frame.view.getComputedStyle(node);
    const display = css.display;
    if (display === 'none' || display === '') continue;
    const inner = under(frame);
    const shown = css.visibility === 'visible';
    inner.shown = shown;
    if (display === 'contents' && frame.parent >= 0) {
      open(inner, node, tag, css);
      stack.push(inner);
      continue;
    }
    if (shown || frame.parent < 0) {
      const own = colourOf(css.backgroundColor);
      inner.background = over(own, frame.background);
      inner.parent = inner.index = place(frame.parent, tagNumber(tag), rectOf.call(node), frame.dx, frame.dy);
      out.style.push(styleOf(css, display, inner.background, own));
      out.attributes.push(attributesOf(node, tag));
    }
    if (tag === 'iframe' || tag === 'frame') {
      const inside = documentIn(node);
      if (!shown) continue;
      if (!inside || !inside.defaultView) tell('foreign frame, one element: ' + (attributesOf(node, tag).src || '').split(/[?#]/, 1)[0].slice(0, 200));
      else if (inside.body && (inside.contentType === 'text/html' || inside.contentType === 'application/xhtml+xml')) {
        const rect = node.getBoundingClientRect();
        inner.list = [inside.body];
        inner.view = inside.defaultView;
        inner.range = inside.createRange();
        inner.dx += rect.left + node.clientLeft + parseFloat(css.paddingLeft || 0);
        inner.dy += rect.top + node.clientTop + parseFloat(css.paddingTop || 0);
        inner.background = canvasOf(inner.view, inner.background);
      }
    } else if (tag === 'svg') {
      // Of a drawing only the words.
      inner.list = [];
      for (const label of node.querySelectorAll('text')) {
        const words = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
        for (let word = words.nextNode(); word; word = words.nextNode()) inner.list.push(word);
      }
    } else if (!atomic.has(tag)) {
      open(inner, node, tag, css);
    }
    if (inner.next || inner.list) stack.push(inner);
    else close(inner.index);
  }

  const html = document.documentElement;
  return JSON.stringify({
    packed: 1,
    url: document.URL.split('#', 1)[0],
    title: document.title,
    language: html.lang || html.getAttribute('xml:lang') || '',
    viewport: [innerWidth, innerHeight],
    page: [Math.max(html.scrollWidth, root.scrollWidth), Math.max(html.scrollHeight, root.scrollHeight)],
    styles, tags, ...out, cut, facts,
  });
})()`;
}

/**
 * Moves animations to their end, or to their start if they never end: two looks at a page then see the same. Through the
 * animations themselves: a style sheet of ours would be part of the page.
 */
export const FREEZE = `(() => {
  for (const animation of document.getAnimations()) {
    try {
      const { endTime } = animation.effect ? animation.effect.getComputedTiming() : { endTime: 0 };
      // In this order: a time set while a pause is pending ends it there; set before, it would still run on.
      if (endTime === Infinity) { animation.pause(); animation.currentTime = 0; }
      else animation.finish();
    } catch {}
  }
  for (const marquee of document.querySelectorAll('marquee')) {
    try {
      marquee.stop();
      // It stands wherever it was by then, mostly out of sight. A copy that is stopped before its first frame stands at its
      // beginning; one with pictures would load them again.
      if (marquee.querySelector('img, picture, video, audio, iframe, object, embed, canvas')) continue;
      const copy = marquee.cloneNode(true);
      marquee.replaceWith(copy);
      copy.stop();
    } catch {}
  }
  return '';
})()`;
