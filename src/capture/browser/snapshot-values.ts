/** Parts of the snapshot's walk that interpret single values of the page: see snapshot-script.ts. */

import { FIRST_ADDRESS, MOST_CANDIDATES, PICTURE_ATTRIBUTE } from '../../model/picture-attributes.ts';

/** Attributes that say something about an element; URLs (href, src, action) are handled separately. */
const KEPT_ATTRIBUTES =
  'id class role aria-label aria-hidden alt title type name rel lang placeholder datetime itemprop itemtype data-block data-block-type'.split(
    ' ',
  );

/**
 * Any colour CSS can name, as red, green, blue, opacity and `#rrggbb`; the unusual notations go through a canvas.
 * Each is made only once: pages have few colours and many elements.
 */
export const COLOURS = `
  const made = new Map();
  const colour = (r, g, b, a) => {
    const key = ((r << 16) | (g << 8) | b) + '/' + a;
    let known = made.get(key);
    if (!known) made.set(key, known = { r, g, b, a, hex: '#' + ((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1) });
    return known;
  };
  const read = new Map();
  const colourOf = (css) => {
    let known = read.get(css);
    if (known) return known;
    const plain = /^rgba?\\((\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?\\)$/.exec(css);
    if (plain) known = colour(+plain[1], +plain[2], +plain[3], plain[4] === undefined ? 1 : +plain[4]);
    else {
      const pen = new OffscreenCanvas(1, 1).getContext('2d');
      pen.fillStyle = css;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known = colour(r, g, b, a / 255);
    }
    read.set(css, known);
    return known;
  };
  const over = (top, below) => {
    const { a } = top;
    if (a === 1 || a === 0) return a === 1 ? top : below;
    const mixed = (one, other) => Math.round(one * a + other * (1 - a));
    return colour(mixed(top.r, below.r), mixed(top.g, below.g), mixed(top.b, below.b), 1);
  };
`;

/** A form field hides the form's property of the same name (`<select name="children">`): these read past it. */
export const UNCLOBBERED = `
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const kindOf = getter(Node.prototype, 'nodeType');
  const firstOf = getter(Node.prototype, 'firstChild');
  const nextOf = getter(Node.prototype, 'nextSibling');
  const baseOf = getter(Node.prototype, 'baseURI');
  const nameOf = getter(Element.prototype, 'localName');
  const shadowOf = getter(Element.prototype, 'shadowRoot');
  const attributeOf = Element.prototype.getAttribute;
  const attributeNames = Element.prototype.getAttributeNames;
  const rectOf = Element.prototype.getBoundingClientRect;
`;

/**
 * SHA-256 of a text, cut to 128 bits, as in src/science/layout/template/url-names.ts: with a weak hash, a page could
 * be built whose new picture has the hash of its old one. Ours, since the browser's own is asynchronous and needs
 * https. Halves of surrogate pairs keep bytes of their own.
 */
export const SHA_256 = `
  const bits = (n, root) => { const whole = Math.pow(n, 1 / root); return ((whole - Math.floor(whole)) * 2 ** 32) | 0; };
  const rounds = [], begin = [];
  for (let n = 2; rounds.length < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (begin.length < 8) begin.push(bits(n, 2));
    rounds.push(bits(n, 3));
  }
  const turned = (x, by) => (x >>> by) | (x << (32 - by));
  const bytesOf = (text) => {
    const room = new Uint8Array(((text.length * 3 + 72) >> 6) * 64 + 64);
    let n = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text.codePointAt(i);
      if (c < 0x80) room[n++] = c;
      else if (c < 0x800) { room[n++] = 0xc0 | (c >> 6); room[n++] = 0x80 | (c & 63); }
      else {
        if (c < 0x10000) room[n++] = 0xe0 | (c >> 12);
        else { room[n++] = 0xf0 | (c >> 18); room[n++] = 0x80 | ((c >> 12) & 63); i++; }
        room[n++] = 0x80 | ((c >> 6) & 63);
        room[n++] = 0x80 | (c & 63);
      }
    }
    const end = ((n + 8) >> 6) * 64 + 64;
    room[n] = 0x80;
    new DataView(room.buffer).setBigUint64(end - 8, BigInt(n) * 8n);
    return new DataView(room.buffer, 0, end);
  };
  const hash = (text) => {
    const data = bytesOf(text), w = new Int32Array(64), state = Int32Array.from(begin);
    for (let at = 0; at < data.byteLength; at += 64) {
      for (let t = 0; t < 16; t++) w[t] = data.getInt32(at + 4 * t);
      for (let t = 16; t < 64; t++) {
        const x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[t - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let t = 0; t < 64; t++) {
        const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + rounds[t] + w[t]) | 0;
        const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
      }
      for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word;
    }
    return [...state.subarray(0, 4)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  };
`;

/**
 * Where else a picture may be shown from: the first address of each attribute that names one, of the image and of
 * the sources around it. As src/science/layout/picture-sources.ts does for HTML without a browser.
 */
const CANDIDATES = `
  const namesPicture = new RegExp(${JSON.stringify(PICTURE_ATTRIBUTE)});
  const firstAddress = new RegExp(${JSON.stringify(FIRST_ADDRESS)});
  const candidatesOf = (image, shown) => {
    const found = [];
    const look = (element) => {
      const names = attributeNames.call(element);
      for (let i = 0; i < names.length && found.length < ${MOST_CANDIDATES}; i++) {
        const match = namesPicture.test(names[i]) && firstAddress.exec(attributeOf.call(element, names[i]));
        if (!match) continue;
        let url = match[1];
        try { url = new URL(url, baseOf.call(element)).href; } catch {}
        url = shortUrl(url);
        if (url !== shown && !found.includes(url)) found.push(url);
      }
    };
    look(image);
    const around = image.parentNode;
    if (around && around.localName === 'picture') {
      for (const child of around.children) if (child.localName === 'source') look(child);
    }
    return found.join(' ');
  };
`;

/** Attributes: absolute URLs, and short words for values that would be long or differ each time. */
export function attributeScript(limit: number): string {
  return `
  const kept = new Set(${JSON.stringify(KEPT_ATTRIBUTES)});
${SHA_256}
  const short = (text) => text.length > ${limit} ? text.slice(0, ${limit}) + '#' + hash(text) : text;
  const shortUrl = (url) => {
    if (url.startsWith('data:')) return 'data:' + hash(url);
    // A new name at each visit.
    if (url.startsWith('blob:')) return 'blob:';
    return short(url);
  };
  const absolute = (element, name) => {
    // The property is absolute already, and far quicker than a URL of our own; SVG has objects there.
    const ready = element[name];
    if (typeof ready === 'string' && name !== 'action') return shortUrl(ready);
    const url = attributeOf.call(element, name);
    try { return shortUrl(new URL(url, baseOf.call(element)).href); } catch { return shortUrl(url); }
  };
  const BUTTONS = new Set(['submit', 'button', 'reset']);
  const links = new Set(['a', 'area']);
  const ownSource = new Set(['img', 'video', 'audio']);
${CANDIDATES}
  const attributesOf = (element, tag) => {
    let found = 0;
    // Names and values apart: the attributes property would make an object of each, for good.
    const names = attributeNames.call(element);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      let said = '';
      if (kept.has(name)) said = short(attributeOf.call(element, name));
      else if (name === 'action' || (name === 'href' && links.has(tag))) said = absolute(element, name);
      else if (name === 'src' && !ownSource.has(tag)) said = absolute(element, name);
      else if (name === 'data' && tag === 'object') (found ||= {}).src = absolute(element, name);
      else if (name === 'value' && tag === 'input' && BUTTONS.has(element.type)) said = short(element.value);
      if (said !== '') (found ||= {})[name] = said;
    }
    if (ownSource.has(tag)) {
      const shown = element.currentSrc || element.src || element.poster;
      if (shown) (found ||= {}).src = shortUrl(shown);
      const others = tag === 'img' ? candidatesOf(element, found && found.src) : '';
      if (others !== '') (found ||= {}).candidates = others;
    }
    return found;
  };
`;
}
