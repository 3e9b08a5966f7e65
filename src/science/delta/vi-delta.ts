import type {
  BlockContent,
  Delta,
  ElementKind,
  ElementOperation,
  Frame,
  LayoutHead,
  MemoryEdit,
  Operation,
  PageElement,
  Place,
  QuietChange,
  TouchedBlock,
} from '../../model/delta.ts';
import { isPartial } from '../../model/delta.ts';
import { xmlAttributes } from '../layout/xml.ts';

/**
 * Vi-Delta, the written form of a delta (Pehlivan, Ben Saad, Gançarski 2009, Figure 5): changes by block, then by operation; whatever
 * moved or changed between two blocks comes last. Its schema is schemas/vi-delta.xsd. Writing and reading are inverse.
 *
 * Departures: elements carry their index (`at`), blocks carry what change importance needs, and operations on a block are inside it as
 * `<block>`. The `Ledger` holds what readers do not see but `applyDelta` needs.
 */
export const VI_DELTA_FORMAT = '1';

export const ELEMENT_NAMES: Readonly<Record<ElementKind, string>> = {
  link: 'link',
  image: 'img',
  text: 'txt',
};

const OPERATION_NAMES = { insert: 'Insert', delete: 'Delete', update: 'Update', move: 'Move' } as const;

type Attributes = Record<string, string | number | undefined>;

export function writeViDelta(delta: Delta): string {
  const { from, to, operations, touched, ledger, salience } = delta;
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  const partial = isPartial(delta) ? 'true' : undefined;
  const told = { salience: salience?.value, why: salience?.why };
  const versions = { from: from.version, to: to.version };
  out.push(`<Delta${xmlAttributes({ format: VI_DELTA_FORMAT, ...versions, partial, ...told })}>\n`);
  const saliences = new Map(operations.map((operation, i) => [operation, salience?.operations[i]]));
  const { byBlock, apart } = operationsByBlock(operations, touched);
  touched.forEach((block, i) => {
    out.push(`<Block${xmlAttributes(blockAttributes(block))}>\n`);
    writeRuns(out, byBlock[i] ?? [], block, saliences);
    out.push('</Block>\n');
  });
  writeRuns(out, apart, undefined, saliences);
  out.push(`<Ledger${memoryAttributes(ledger.memory)}>\n`, head('From', from), head('To', to));
  for (const change of ledger.frames) {
    out.push('<frame>', frame('old', change.old), frame('new', change.new), '</frame>\n');
  }
  for (const change of ledger.quiet) out.push(quiet(change));
  out.push('</Ledger>\n</Delta>\n');
  return out.join('');
}

/**
 * Elements that moved or changed from one block to another belong to both and are listed separately; all others with their block.
 */
function operationsByBlock(
  operations: readonly Operation[],
  touched: readonly TouchedBlock[],
): { readonly byBlock: readonly Operation[][]; readonly apart: readonly Operation[] } {
  const ofOld = new Map<string, number>();
  const ofNew = new Map<string, number>();
  touched.forEach((block, i) => {
    for (const ref of block.from) ofOld.set(ref, i);
    for (const ref of block.to) ofNew.set(ref, i);
  });
  const byBlock: Operation[][] = touched.map(() => []);
  const apart: Operation[] = [];
  for (const operation of operations) {
    const to = 'to' in operation ? ofNew.get(firstRef(operation.to)) : undefined;
    const from = 'from' in operation ? ofOld.get(firstRef(operation.from)) : undefined;
    const index = to ?? from;
    if (index === undefined) throw new RangeError(`a ${operation.op} is in no block the delta touches`);
    if (operation.element === 'block' || (operation.op !== 'move' && (from ?? index) === index))
      byBlock[index]?.push(operation);
    else apart.push(operation);
  }
  return { byBlock, apart };
}

const firstRef = (side: string | Place | readonly string[]): string =>
  typeof side === 'string' ? side : 'block' in side ? side.block : (side[0] ?? '');

function blockAttributes(block: TouchedBlock): Attributes {
  const { from, to, importance, elements, advertisements } = block;
  const counts = (of: Readonly<Record<ElementKind, number>>): string => `${of.link} ${of.image} ${of.text}`;
  const [ref, old] = [to.join(' '), from.join(' ')];
  return {
    ref,
    old: old === ref ? undefined : old,
    importance: importance.new,
    oldImportance: Object.is(importance.old, importance.new) ? undefined : importance.old,
    elements: counts(elements),
    ads: block.advertisements.link + block.advertisements.image > 0 ? counts(advertisements) : undefined,
  };
}

/** Per operation, where known. */
type Saliences = ReadonlyMap<Operation, number | undefined>;

function writeRuns(
  out: string[],
  operations: readonly Operation[],
  block: TouchedBlock | undefined,
  saliences: Saliences,
): void {
  let open = '';
  for (const operation of operations) {
    const name = OPERATION_NAMES[operation.op];
    if (name !== open) {
      if (open) out.push(`</${open}>\n`);
      out.push(`<${name}>\n`);
      open = name;
    }
    out.push(writeOperation(operation, block, { salience: saliences.get(operation) }));
  }
  if (open) out.push(`</${open}>\n`);
}

function writeOperation(operation: Operation, block: TouchedBlock | undefined, own: Attributes): string {
  if (operation.element === 'block') {
    if (operation.op === 'move') return `<block${xmlAttributes(own)}/>\n`;
    if (operation.op === 'update')
      return `<block${xmlAttributes({ structure: operation.structure, ...own })}/>\n`;
    return `<block${xmlAttributes(own)}>\n${content(operation.content)}</block>\n`;
  }
  const kind = operation.element;
  const tag = ELEMENT_NAMES[kind];
  const { from, to, old, new: now } = operation as ElementOperation & SomeSides;
  if (!block) {
    const same = old && now && sameAttributes(values(kind, old), values(kind, now));
    const sides = same ? values(kind, old) : { ...values(kind, old), ...values(kind, now, 'new') };
    const places = { fromBlock: from?.block, from: from?.index, toBlock: to?.block, at: to?.index };
    return `<${tag}${xmlAttributes({ ...sides, ...places, ...own })}/>\n`;
  }
  // Refs are omitted where the block has only one.
  const oldBlock = from && block.from.length !== 1 ? from.block : undefined;
  const newBlock = to && block.to.length !== 1 ? to.block : undefined;
  if (operation.op === 'update') {
    const sides = { ...values(kind, old, 'old'), ...values(kind, now, 'new') };
    const at = { from: from?.index, at: to?.index, oldBlock, newBlock };
    return `<${tag}${xmlAttributes({ ...sides, ...at, ...own })}/>\n`;
  }
  const at = { at: (to ?? from)?.index, oldBlock, newBlock };
  return `<${tag}${xmlAttributes({ ...values(kind, old ?? now), ...at, ...own })}/>\n`;
}

interface SomeSides {
  readonly from?: Place;
  readonly to?: Place;
  readonly old?: PageElement;
  readonly new?: PageElement;
}

function content({ links, images, texts }: BlockContent): string {
  let out = '';
  const add = (kind: ElementKind, at: number, value: PageElement): void => {
    out += `<${ELEMENT_NAMES[kind]}${xmlAttributes({ ...values(kind, value), at })}/>\n`;
  };
  for (const { index, value } of links) add('link', index, value);
  for (const { index, value } of images) add('image', index, value);
  for (const { index, value } of texts) add('text', index, value);
  return out;
}

/** The fields of an element as attributes: `name`, or with a side `oldName`; a text's wording is `old`, `new` or `text`. */
function values(kind: ElementKind, value: PageElement | undefined, side?: 'old' | 'new'): Attributes {
  if (!value) return {};
  const fields: [string, string | undefined][] =
    'text' in value
      ? [
          ['text', value.text],
          ['ID', value.id],
        ]
      : [
          ['name', value.name],
          ...(kind === 'link' && 'address' in value ? [['adr', value.address] as [string, string]] : []),
          ...('source' in value
            ? ([
                ['src', value.source],
                ['candidates', value.candidates],
                ['digest', value.digest],
              ] as [string, string | undefined][])
            : []),
          ['ID', value.id],
          ['ad', value.advertisement ? 'true' : undefined],
        ];
  return Object.fromEntries(fields.map(([name, text]) => [sided(name, side), text]));
}

export const sided = (name: string, side: 'old' | 'new' | undefined): string => {
  if (!side) return name;
  return name === 'text' ? side : side + (name[0] as string).toUpperCase() + name.slice(1);
};

const sameAttributes = (a: Attributes, b: Attributes): boolean =>
  Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);

/** Attributes, not an element: readers that do not know them skip them. */
const memoryAttributes = (edit: MemoryEdit | undefined): string =>
  edit ? xmlAttributes({ memoryAt: edit.at, memoryOld: edit.old, memoryNew: edit.new }) : '';

function head(name: string, { viewport, ...told }: LayoutHead): string {
  const { url, title, version, segmenter, partial, previous } = told;
  const size = `${viewport.width} ${viewport.height}`;
  return `<${name}${xmlAttributes({ url, title, version, viewport: size, segmenter, partial, previous })}/>\n`;
}

/** Preserves minus zero, which comes from rounding just left of the page's edge. */
const number = (n: number): string => (Object.is(n, -0) ? '-0' : String(n));

function frame(side: 'old' | 'new', value: Frame | undefined): string {
  if (!value) return '';
  const { ref, id, box, doc, typeSizes, importance, parent, index } = value;
  const pos = box.map(number).join(' ');
  return `<${side}${xmlAttributes({
    ref,
    ID: id,
    Pos: pos,
    DoC: number(doc),
    type: typeSizes,
    importance: number(importance),
    parent,
    index,
  })}/>`;
}

function quiet({ element, from, to, values: sides }: QuietChange): string {
  const fields = { ...values(element, sides?.old, 'old'), ...values(element, sides?.new, 'new') };
  const places = { fromBlock: from.block, from: from.index, toBlock: to.block, at: to.index };
  return `<${ELEMENT_NAMES[element]}${xmlAttributes({ ...places, ...fields })}/>\n`;
}
