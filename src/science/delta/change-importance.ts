import {
  type Delta,
  ELEMENT_KINDS,
  type ElementKind,
  type OperationName,
  type PageElement,
  sidesOf,
  type TouchedBlock,
} from '../../model/delta.ts';
import { CHANGE_WEIGHTS, type ChangeWeights } from './change-weights.ts';
import { textDistance } from './vi-diff/text-distance.ts';

/**
 * The importance of a change, in [0, 1]: Pehlivan, Ben Saad, Gançarski (IWAW 2009) §6; Ben Saad, Gançarski,
 * "Archiving the web using page changes patterns" (IJDL 2012) §6.3 and Algorithm 2.
 *
 *   E = Σ_B I(B) · (1/N_el) Σ_el Σ_op I(op, el) · N(op, el) / N(el, B)
 *
 *   I(B)       TouchedBlock.importance    mean of old and new; renormalised over old ∪ new blocks
 *   I(op, el)  ChangeWeights              times α for advertisements, times the distance for updated texts and for
 *                                         the names of links whose address is unchanged
 *   N(el, B)   TouchedBlock.elements      elements of a kind in old ∪ new
 *   N_el       kinds of elements in the block (§6: "the number of elements type in the block")
 *
 * Departures
 * - The formula as printed also divides by N_op, the operation types that occur in the block. With it, an update
 *   of all of a block's text is worth 1, and with a link inserted as well about a half: more change, less
 *   importance. Dividing by the kinds the block holds, instead of by the operations that happened to occur, gives
 *   both worked examples the same values (0.4467; 0.174) and never falls. The formulas as the papers print them:
 *   printed/printed-importance.ts.
 * - `sum` leaves the 1/N_el out, as the 2012 paper's Example 3 does (0.348); it can pass 1.
 * - In `mean`, anything that would dilute is not counted: an inserted element, kind or block enters numerator and
 *   denominator only where it raises the value. An advertisement beside new content therefore takes nothing
 *   from it.
 * - Updated links count in full in the papers. Comment counts and times of day are inside links, and made
 *   up to half of the importance of news pages: a link with only a new name counts by its words.
 * - An operation on a block weighs as much as the block holds; on an empty one, nothing.
 * - A move counts in the block it leaves and in the one it reaches, as would the delete and insert that it
 *   stands for.
 */
export interface ChangeImportance {
  readonly importance: number;
  /** The share of each operation in the delta, in order; they add up to the importance. */
  readonly shares: readonly number[];
}

interface ItemWeight {
  readonly op: OperationName;
  readonly kind: ElementKind;
  /** I(op, el), summed over `count` elements. */
  weight: number;
  readonly count: number;
  readonly advertisement: boolean;
}

/** Elements that one operation contributes to a block's account. */
interface Item extends ItemWeight {
  readonly operation: number;
  /** Whether the element is only in the new layout's block. */
  readonly arrives: boolean;
}

interface Account {
  readonly block: TouchedBlock;
  readonly items: Item[];
  /** The block's own operation with the largest weight. */
  structure: { operation: number; weight: number; op: OperationName } | undefined;
}

interface Share {
  readonly operation: number;
  readonly value: number;
}

/** A block's value between 0 and 1 (with `sum`, possibly more), and which operations it comes from. */
interface Value {
  readonly value: number;
  readonly shares: readonly Share[];
}

export function changeImportance(delta: Delta, weights: ChangeWeights = CHANGE_WEIGHTS): ChangeImportance {
  const accounts = openAccounts(delta, weights);
  const valued = accounts.map((account) => ({ account, ...blockValue(account, weights) }));
  const shares = new Array<number>(delta.operations.length).fill(0);
  const scale = (value: Value, factor: number): void => {
    for (const share of value.shares) {
      shares[share.operation] = (shares[share.operation] as number) + share.value * factor;
    }
  };
  // Leaves add up to 1 in either layout, so those of old ∪ new add up to 1 plus half of those without a partner.
  const alone = valued.filter(({ account }) => isAlone(account.block)).sort((a, b) => b.value - a.value);
  let sum = 0;
  let total = 1;
  const counted = valued.filter(({ account }) => !isAlone(account.block));
  for (const one of counted) sum += weightOf(one.account.block) * one.value;
  for (const one of alone) {
    const weight = weightOf(one.account.block);
    if (weights.normalise === 'mean' && 2 * one.value * total <= sum) continue;
    counted.push(one);
    sum += weight * one.value;
    total += weight / 2;
  }
  const depth = weights.perDepth ** depthOf(delta.to.url);
  for (const one of counted) scale(one, (depth * weightOf(one.account.block)) / total);
  const importance = shares.reduce((a, b) => a + b, 0);
  return { importance: weights.normalise === 'sum' ? importance : Math.min(1, importance), shares };
}

/** How many directories deep a page is; the file name does not count. */
const depthOf = (url: string): number =>
  url
    .replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gi, '')
    .split('/')
    .slice(1, -1).length;

const isAlone = (block: TouchedBlock): boolean => block.from.length === 0 || block.to.length === 0;

const weightOf = (block: TouchedBlock): number =>
  isAlone(block)
    ? block.importance.old + block.importance.new
    : (block.importance.old + block.importance.new) / 2;

function openAccounts(delta: Delta, weights: ChangeWeights): Account[] {
  const accounts = delta.touched.map((block): Account => ({ block, items: [], structure: undefined }));
  const ofOld = new Map<string, Account>();
  const ofNew = new Map<string, Account>();
  for (const account of accounts) {
    for (const ref of account.block.from) ofOld.set(ref, account);
    for (const ref of account.block.to) ofNew.set(ref, account);
  }
  delta.operations.forEach((operation, index) => {
    const { op } = operation;
    if (operation.element === 'block') {
      const ref = 'to' in operation ? [operation.to].flat()[0] : operation.from;
      const account = ('to' in operation ? ofNew : ofOld).get(ref ?? '');
      if (!account) return;
      const weight =
        operation.op === 'update' ? weights.structure[operation.structure] : weights.operations[op];
      if (!account.structure || weight > account.structure.weight) {
        account.structure = { operation: index, weight, op };
      }
      if (operation.op !== 'insert' && operation.op !== 'delete') return;
      const arrives = operation.op === 'insert';
      const { links, images, texts } = operation.content;
      const add = (kind: ElementKind, value: PageElement): void => {
        const item = itemOf({ op, kind, old: value, now: value }, weights);
        account.items.push({ ...item, operation: index, arrives });
      };
      for (const { value } of links) add('link', value);
      for (const { value } of images) add('image', value);
      for (const { value } of texts) add('text', value);
      return;
    }
    const { from, to, old, new: now } = sidesOf(operation);
    const add = (account: Account | undefined, arrives: boolean): void => {
      const sides = { old: old ?? now, now: now ?? old } as Record<'old' | 'now', PageElement>;
      const item = itemOf({ op, kind: operation.element, ...sides }, weights);
      account?.items.push({ ...item, operation: index, arrives });
    };
    if (to && op !== 'update') add(ofNew.get(to.block), true);
    if (from) add(ofOld.get(from.block), false);
  });
  return accounts;
}

interface ChangedElement {
  readonly op: OperationName;
  readonly kind: ElementKind;
  readonly old: PageElement;
  readonly now: PageElement;
}

const isAdvertisement = (value: PageElement): boolean => 'advertisement' in value;

/** I(op, el) of one element (Algorithm 2, lines 6-13). */
function itemOf({ op, kind, old, now }: ChangedElement, weights: ChangeWeights): ItemWeight {
  const advertisement = isAdvertisement(old) && isAdvertisement(now);
  let weight = weights.operations[op] * weights.elements[kind];
  if (advertisement) weight *= weights.advertisement;
  if (op === 'update') weight *= howFar(old, now, weights);
  return { op, kind, weight, count: 1, advertisement };
}

/** How much of an updated element changed, where that shows in its words. */
function howFar(old: PageElement, now: PageElement, weights: ChangeWeights): number {
  if ('text' in old && 'text' in now)
    return weights.updatedText === 'distance' ? textDistance(old.text, now.text) : 1;
  if ('address' in old && 'address' in now && old.address === now.address)
    return weights.renamedLink === 'distance' ? textDistance(old.name, now.name) : 1;
  return 1;
}

/** The bracketed term of the formula. */
function blockValue(account: Account, weights: ChangeWeights): Value {
  const { block } = account;
  spreadStructure(account, weights);
  const values: Value[] = [];
  const arrived: Value[] = [];
  for (const kind of ELEMENT_KINDS) {
    if (block.elements[kind] === 0) continue;
    const items = account.items.filter((item) => item.kind === kind);
    const arrivals = items.filter((item) => item.arrives);
    const settled = block.elements[kind] - arrivals.length;
    const value =
      weights.normalise === 'mean'
        ? proportion(items, arrivals, settled)
        : sharesOf(items, block.elements[kind]);
    (settled > 0 ? values : arrived).push(value);
  }
  if (weights.normalise === 'sum') return together([...values, ...arrived], 1);
  return together(raising(values, arrived), undefined);
}

/** Block operations other than insert and delete weigh the block's elements that no other operation names. */
function spreadStructure(account: Account, weights: ChangeWeights): void {
  const { block, items, structure } = account;
  if (!structure || isAlone(block) || structure.weight === 0) return;
  for (const kind of ELEMENT_KINDS) {
    const named = items.filter((item) => item.kind === kind);
    const least = structure.weight * weights.elements[kind];
    // An element with a small operation of its own weighs no less than its untouched neighbours.
    for (const item of named) {
      item.weight = Math.max(item.weight, item.advertisement ? least * weights.advertisement : least);
    }
    const count = block.elements[kind] - named.length;
    if (count <= 0) continue;
    const advertisements = Math.min(
      count,
      Math.max(0, block.advertisements[kind] - named.filter((item) => item.advertisement).length),
    );
    const weight = least * (count - advertisements + advertisements * weights.advertisement);
    const { operation, op } = structure;
    items.push({ operation, op, kind, weight, count, advertisement: false, arrives: false });
  }
}

function sharesOf(items: readonly Item[], total: number): Value {
  const shares = items.map((item) => ({ operation: item.operation, value: item.weight / total }));
  return { value: shares.reduce((sum, share) => sum + share.value, 0), shares };
}

/** Σ I / N, over the elements that were there and those arrivals that raise it. */
function proportion(items: readonly Item[], arrivals: readonly Item[], settled: number): Value {
  const counted = items.filter((item) => !item.arrives);
  let sum = counted.reduce((all, item) => all + item.weight, 0);
  let total = settled;
  for (const item of [...arrivals].sort((a, b) => b.weight - a.weight)) {
    if (total > 0 && item.weight * total <= sum) break;
    counted.push(item);
    sum += item.weight;
    total++;
  }
  return sharesOf(counted, total);
}

/** The kinds that were there, and those new ones that raise the mean. */
function raising(settled: readonly Value[], arrived: readonly Value[]): Value[] {
  const counted = [...settled];
  let sum = counted.reduce((all, one) => all + one.value, 0);
  for (const one of [...arrived].sort((a, b) => b.value - a.value)) {
    if (counted.length > 0 && one.value * counted.length <= sum) break;
    counted.push(one);
    sum += one.value;
  }
  return counted;
}

function together(values: readonly Value[], divisor: number | undefined): Value {
  const by = divisor ?? Math.max(1, values.length);
  return {
    value: values.reduce((sum, one) => sum + one.value, 0) / by,
    shares: values.flatMap((one) =>
      one.shares.map(({ operation, value }) => ({ operation, value: value / by })),
    ),
  };
}
