/**
 * The stack of open elements and the list of active formatting elements of the HTML tree construction (WHATWG
 * §13.2.4): they decide where the next node goes.
 */

import { words } from '../words.ts';

export interface Building {
  tag: string;
  attributes: Record<string, string>;
  parent: Building | undefined;
  children: (Building | string)[];
  /** Inside svg or math. */
  foreign: boolean;
}

export const building = (
  tag: string,
  attributes: Record<string, string> = {},
  foreign = false,
): Building => ({
  tag,
  attributes,
  parent: undefined,
  children: [],
  foreign,
});

/** Of two values of the same attribute, the first counts. */
export function adopt(element: Building, attributes: Record<string, string>): void {
  for (const name of Object.keys(attributes)) element.attributes[name] ??= attributes[name] as string;
}

export const holdsNoText = ({ tag, foreign }: Building): boolean => !foreign && INTO_TABLE.has(tag);

const SCOPE = words('applet caption html table td th marquee object template select');
const BUTTON = new Set([...SCOPE, 'button']);
const LIST = new Set([...SCOPE, 'ol', 'ul']);
const TABLE = words('html table template');
export const SCOPES = { default: SCOPE, button: BUTTON, list: LIST, table: TABLE } as const;

const IMPLIED = words('dd dt li optgroup option p rb rp rt rtc');
export const FORMATTING = words('a b big code em font i nobr s small strike strong tt u');
const INTO_TABLE = words('table tbody tfoot thead tr');
export const SPECIAL = words(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd ' +
    'details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header ' +
    'hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ' +
    'ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot ' +
    'th thead title tr track ul wbr xmp',
);

export class OpenElements {
  readonly stack: Building[];
  /** undefined is a marker. */
  #active: (Building | undefined)[] = [];
  /** Content of a table outside any cell goes before the table. */
  foster = false;
  /** An upper bound of the number of open tables: at 0, no table rules are tried. */
  tables = 0;

  constructor(root: Building) {
    this.stack = [root];
  }

  get current(): Building {
    return this.stack.at(-1) as Building;
  }

  has(tag: string | ReadonlySet<string>, scope: ReadonlySet<string> = SCOPE): boolean {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const element = this.stack[i] as Building;
      if (element.foreign) continue;
      if (typeof tag === 'string' ? element.tag === tag : tag.has(element.tag)) return true;
      if (scope.has(element.tag)) return false;
    }
    return false;
  }

  open(element: Building): Building {
    this.#place(element);
    this.stack.push(element);
    if (isTable(element)) this.tables++;
    return element;
  }

  /** Adds an element that stays empty. */
  add(element: Building): void {
    this.#place(element);
  }

  text(text: string): void {
    this.#place(text);
  }

  #place(node: Building | string, at: Building = this.current): void {
    if (this.foster && !at.foreign && INTO_TABLE.has(at.tag)) {
      let table = this.stack.length - 1;
      while (table > 1 && !isTable(this.stack[table] as Building)) table--;
      const before = this.stack[table] as Building;
      const parent = before.parent ?? (this.stack[table - 1] as Building);
      parent.children.splice(parent.children.lastIndexOf(before), 0, node);
      if (typeof node !== 'string') node.parent = parent;
      return;
    }
    at.children.push(node);
    if (typeof node !== 'string') node.parent = at;
  }

  pop(): Building | undefined {
    return this.stack.length > 1 ? this.stack.pop() : undefined;
  }

  popUntil(tag: string | ReadonlySet<string>): void {
    for (let element = this.pop(); element; element = this.pop()) {
      if (element.foreign) continue;
      if (typeof tag === 'string' ? element.tag === tag : tag.has(element.tag)) return;
    }
  }

  closeParagraph(): void {
    if (!this.has('p', SCOPES.button)) return;
    this.imply('p');
    this.popUntil('p');
  }

  /** Called before an li, dd or dt: closes the open item. */
  closeItem(tag: string): void {
    for (let i = this.stack.length - 1; i > 0; i--) {
      const node = this.stack[i] as Building;
      const closes = tag === 'li' ? node.tag === 'li' : node.tag === 'dd' || node.tag === 'dt';
      if (closes) {
        this.imply(node.tag);
        this.popUntil(node.tag);
        return;
      }
      if (SPECIAL.has(node.tag) && node.tag !== 'address' && node.tag !== 'div' && node.tag !== 'p') return;
    }
  }

  /** Pops up to one of these, which stays. */
  clearTo(tags: ReadonlySet<string>): void {
    while (this.stack.length > 1 && !tags.has(this.current.tag)) this.stack.pop();
  }

  imply(except = ''): void {
    while (IMPLIED.has(this.current.tag) && this.current.tag !== except) this.stack.pop();
  }

  remove(element: Building): void {
    const at = this.stack.lastIndexOf(element);
    if (at > 0) this.stack.splice(at, 1);
  }

  mark(): void {
    this.#active.push(undefined);
  }

  clearToMarker(): void {
    while (this.#active.length > 0 && this.#active.pop() !== undefined) {}
  }

  /** Keeps at most three alike. */
  pushFormatting(element: Building): void {
    let alike = 0;
    for (let i = this.#active.length - 1; i >= 0 && this.#active[i] !== undefined; i--) {
      if (!same(this.#active[i] as Building, element)) continue;
      if (++alike === 3) this.#active.splice(i, 1);
    }
    this.#active.push(element);
  }

  activeFormatting(tag: string): Building | undefined {
    for (let i = this.#active.length - 1; i >= 0; i--) {
      const element = this.#active[i];
      if (!element) return undefined;
      if (element.tag === tag) return element;
    }
    return undefined;
  }

  dropFormatting(element: Building): void {
    const at = this.#active.lastIndexOf(element);
    if (at >= 0) this.#active.splice(at, 1);
  }

  /** Reopens formatting that a block has cut off. */
  reconstruct(): void {
    const active = this.#active;
    let i = active.length;
    while (i > 0 && active[i - 1] !== undefined && !this.stack.includes(active[i - 1] as Building)) i--;
    for (; i < active.length; i++) {
      const { tag, attributes } = active[i] as Building;
      active[i] = this.open(building(tag, { ...attributes }));
    }
  }

  /** The adoption agency algorithm. False: the tag is to be treated like any other end tag. */
  adopt(tag: string): boolean {
    const { stack } = this;
    const active = this.#active;
    if (this.current.tag === tag && !active.includes(this.current)) {
      this.pop();
      return true;
    }
    for (let outer = 0; outer < 8; outer++) {
      const formatting = this.activeFormatting(tag);
      if (!formatting) return outer > 0;
      const place = stack.lastIndexOf(formatting);
      if (place < 0) {
        this.dropFormatting(formatting);
        return true;
      }
      if (!this.has(tag)) return true;
      const furthest = stack.findIndex(
        (element, i) => i > place && SPECIAL.has(element.tag) && !element.foreign,
      );
      if (furthest < 0) {
        stack.length = place;
        this.dropFormatting(formatting);
        return true;
      }
      const block = stack[furthest] as Building;
      const ancestor = stack[place - 1] as Building;
      let bookmark = active.indexOf(formatting);
      let last = block;
      let at = furthest;
      for (let inner = 1; ; inner++) {
        let node = stack[--at] as Building;
        if (node === formatting) break;
        let entry = active.indexOf(node);
        if (inner > 3 && entry >= 0) {
          active.splice(entry, 1);
          if (entry < bookmark) bookmark--;
          entry = -1;
        }
        if (entry < 0) {
          stack.splice(at, 1);
          continue;
        }
        node = building(node.tag, { ...node.attributes });
        active[entry] = node;
        stack[at] = node;
        if (last === block) bookmark = entry + 1;
        move(last, node);
        last = node;
      }
      detach(last);
      this.#place(last, ancestor);
      const copy = building(formatting.tag, { ...formatting.attributes });
      for (const child of block.children) if (typeof child !== 'string') child.parent = copy;
      copy.children = block.children;
      block.children = [copy];
      copy.parent = block;
      const old = active.indexOf(formatting);
      active.splice(old, 1);
      active.splice(old < bookmark ? bookmark - 1 : bookmark, 0, copy);
      this.remove(formatting);
      stack.splice(stack.indexOf(block) + 1, 0, copy);
    }
    return true;
  }
}

const isTable = ({ tag, foreign }: Building): boolean => tag === 'table' && !foreign;

function detach(node: Building): void {
  const siblings = node.parent?.children;
  if (siblings) siblings.splice(siblings.lastIndexOf(node), 1);
  node.parent = undefined;
}

function move(node: Building, to: Building): void {
  detach(node);
  to.children.push(node);
  node.parent = to;
}

function same(a: Building, b: Building): boolean {
  if (a.tag !== b.tag) return false;
  const names = Object.keys(a.attributes);
  if (names.length !== Object.keys(b.attributes).length) return false;
  return names.every((name) => a.attributes[name] === b.attributes[name]);
}
