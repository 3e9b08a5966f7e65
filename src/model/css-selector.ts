/**
 * CSS selectors over a page snapshot, or over a parsed HTML text: type, `#id`, `.class`, `[attribute]`, `[attribute=value]`
 * (also ~=, ^=, $=, *=), `*`, descendants, `>` and lists. Pseudo-classes need a browser and are refused; so are `+` and `~`,
 * since a snapshot leaves out elements that show nothing.
 */

/** A node of a snapshot, or of a parsed HTML text. */
interface TreeNode {
  readonly kind: string;
  readonly parent: number;
}

interface TreeElement extends TreeNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface AttributeTest {
  readonly name: string;
  readonly how: '' | '=' | '~=' | '^=' | '$=' | '*=';
  readonly value: string;
}

interface Compound {
  readonly tag: string;
  readonly tests: readonly AttributeTest[];
  /** How it relates to the compound before it. */
  readonly inside: 'descendant' | 'child';
}

/** Lists of compounds, the outermost first. */
export type Selector = readonly (readonly Compound[])[];

const ACCEPTED = 'accepted: tag, #id, .class, [attribute=value], descendants, > and lists with commas';

const TOKEN =
  /\s*(?:(?<child>>)\s*|(?<comma>,)\s*|(?<tag>[a-z][\w-]*|\*)|#(?<id>(?:\\.|[\w\u0080-\uffff-])+)|\.(?<class>(?:\\.|[\w\u0080-\uffff-])+)|\[\s*(?<name>[\w:-]+)\s*(?:(?<how>[~^$*]?=)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\]\s]+))\s*)?\])/giuy;

/** Throws RangeError, naming what is accepted, for anything else. */
export function parseSelector(text: string): Selector {
  const refuse = (): never => {
    throw new RangeError(`'${text}' is no selector that can be followed; ${ACCEPTED}`);
  };
  const lists: Compound[][] = [[]];
  const token = new RegExp(TOKEN.source, TOKEN.flags);
  const source = text.trim();
  let inside: Compound['inside'] = 'descendant';
  let open: { tag: string; tests: AttributeTest[]; inside: Compound['inside'] } | undefined;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const { groups } = token.exec(source) ?? refuse();
    const found = groups as Record<string, string | undefined>;
    if (/^\s/.test(source.slice(at))) open = undefined;
    if (found.comma !== undefined) {
      if (inside === 'child' || lists.at(-1)?.length === 0) refuse();
      lists.push([]);
      open = undefined;
      continue;
    }
    if (found.child !== undefined) {
      if (inside === 'child' || lists.at(-1)?.length === 0) refuse();
      inside = 'child';
      open = undefined;
      continue;
    }
    if (found.tag !== undefined && open) refuse();
    if (!open) {
      open = { tag: '*', tests: [], inside };
      lists.at(-1)?.push(open);
      inside = 'descendant';
    }
    if (found.tag !== undefined) open.tag = found.tag.toLowerCase();
    else open.tests.push(testOf(found));
  }
  if (inside === 'child' || lists.some((list) => list.length === 0)) refuse();
  return lists;
}

function testOf(found: Record<string, string | undefined>): AttributeTest {
  const unescaped = (name: string): string => name.replace(/\\(.)/gu, '$1');
  if (found.id !== undefined) return { name: 'id', how: '=', value: unescaped(found.id) };
  if (found.class !== undefined) return { name: 'class', how: '~=', value: unescaped(found.class) };
  const value = found.double ?? found.single ?? found.bare ?? '';
  return { name: (found.name ?? '').toLowerCase(), how: (found.how ?? '') as AttributeTest['how'], value };
}

/** Indices of the elements that a selector matches, in document order. */
export function select({ nodes }: { readonly nodes: readonly TreeNode[] }, selector: Selector): number[] {
  const parentOf = (index: number): number => nodes[index]?.parent ?? -1;
  const fits = (index: number, compounds: readonly Compound[], last: number): boolean => {
    const compound = compounds[last];
    const node = nodes[index];
    if (!compound || node?.kind !== 'element' || !isCompound(node as TreeElement, compound)) return false;
    if (last === 0) return true;
    for (let above = parentOf(index); above >= 0; above = parentOf(above)) {
      if (fits(above, compounds, last - 1)) return true;
      if (compound.inside === 'child') return false;
    }
    return false;
  };
  return nodes.flatMap((_, index) =>
    selector.some((compounds) => fits(index, compounds, compounds.length - 1)) ? [index] : [],
  );
}

function isCompound({ tag, attributes }: TreeElement, compound: Compound): boolean {
  if (compound.tag !== '*' && compound.tag !== tag) return false;
  return compound.tests.every(({ name, how, value }) => {
    const has = attributes[name];
    if (has === undefined) return false;
    if (how === '') return true;
    if (how === '=') return has === value;
    if (value === '') return false;
    if (how === '~=') return has.split(/\s+/).includes(value);
    if (how === '^=') return has.startsWith(value);
    return how === '$=' ? has.endsWith(value) : has.includes(value);
  });
}
