/** Parts of the snapshot's walk that know what a value of the page says: see snapshot-script.ts. */

/** What tells something about an element; URLs (href, src, action) are looked at apart. */
const KEPT_ATTRIBUTES = [
  'id',
  'class',
  'role',
  'aria-label',
  'aria-hidden',
  'alt',
  'title',
  'type',
  'name',
  'rel',
  'lang',
  'placeholder',
  'datetime',
  'itemprop',
  'itemtype',
  'data-block',
  'data-block-type',
];

/**
 * Any colour CSS can name, as red, green, blue, opacity and `#rrggbb`; the unusual notations go through a canvas.
 * Each is made once: pages have few colours and many elements.
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

/** A field of a form hides the form's property of its name (`<select name="children">`): read past it. */
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

/** Attributes: absolute URLs, and short words for what would be long or differ each time. */
export function attributeScript(limit: number): string {
  return `
  const kept = new Set(${JSON.stringify(KEPT_ATTRIBUTES)});
  // FNV-1a, forwards and backwards: two times 32 bits.
  const hash = (text) => {
    let a = 0x811c9dc5, b = 0x811c9dc5;
    for (let i = 0, j = text.length - 1; j >= 0; i++, j--) {
      a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
      b = Math.imul(b ^ text.charCodeAt(j), 0x01000193);
    }
    return (a >>> 0).toString(36) + (b >>> 0).toString(36);
  };
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
    }
    return found;
  };
`;
}
