import type {
  BlockContent,
  Delta,
  DeltaLedger,
  ElementKind,
  Frame,
  FrameChange,
  LayoutHead,
  MemoryEdit,
  Operation,
  PageElement,
  QuietChange,
  TouchedBlock,
} from '../../model/delta.ts';
import type { Box } from '../../model/page-snapshot.ts';
import { toldOf, typeSizesOf } from '../layout/vi-xml.ts';
import { elementsIn, parseXml, type XmlElement } from '../layout/xml.ts';
import { sided, VI_DELTA_FORMAT } from './vi-delta.ts';
import { numbers, readSalience, text, ViDeltaError, wholeSalience } from './vi-delta-attributes.ts';

export { ViDeltaError } from './vi-delta-attributes.ts';

/** Throws XmlError if it is not XML (with line and column), ViDeltaError if it is not Vi-Delta. */
export function parseViDelta(source: string): Delta {
  const root = parseXml(source);
  if (root.name !== 'Delta') throw new ViDeltaError(`the root is '${root.name}'`, 'Delta');
  const format = text(root, 'format', 'Delta');
  if (format !== VI_DELTA_FORMAT) throw new ViDeltaError(`format '${format}' is not known`, 'Delta');
  const operations: Operation[] = [];
  const saliences: (number | undefined)[] = [];
  const touched: TouchedBlock[] = [];
  let ledger: ReturnType<typeof readLedger> | undefined;
  for (const part of elementsIn(root)) {
    if (part.name === 'Block') {
      const block = readTouched(part);
      touched.push(block);
      for (const group of elementsIn(part)) {
        operations.push(...readGroup(group, block));
        saliences.push(...elementsIn(group).map(readSalience));
      }
    } else if (part.name === 'Move' || part.name === 'Update') {
      const op = part.name === 'Move' ? 'move' : 'update';
      operations.push(...elementsIn(part).map((element) => readBetween(element, op)));
      saliences.push(...elementsIn(part).map(readSalience));
    } else if (part.name === 'Ledger' && !ledger) ledger = readLedger(part);
    else throw new ViDeltaError(`'${part.name}' is no part of a delta`, 'Delta');
  }
  if (!ledger) throw new ViDeltaError('there is no Ledger', 'Delta');
  const { from, to, ...rest } = ledger;
  const salience = wholeSalience(root, saliences);
  return {
    format: 1,
    from,
    to,
    operations,
    touched,
    ledger: rest,
    ...(salience && { salience }),
  };
}

function readTouched(block: XmlElement): TouchedBlock {
  const { ref = '', old, oldImportance, ads } = block.attributes;
  const where = `Block ${ref || old}`;
  const refs = (list: string): string[] => (list === '' ? [] : list.split(' '));
  const counts = (name: string): Record<ElementKind, number> => {
    const [link, image, txt] = numbers(block, name, 3, where) as [number, number, number];
    return { link, image, text: txt };
  };
  const [now] = numbers(block, 'importance', 1, where) as [number];
  const [before] = oldImportance === undefined ? [now] : numbers(block, 'oldImportance', 1, where);
  return {
    from: refs(old ?? ref),
    to: refs(ref),
    importance: { old: before as number, new: now },
    elements: counts('elements'),
    advertisements: ads === undefined ? { link: 0, image: 0, text: 0 } : counts('ads'),
  };
}

const OPERATIONS: Readonly<Record<string, Operation['op']>> = {
  Insert: 'insert',
  Delete: 'delete',
  Update: 'update',
  Move: 'move',
};

function readGroup(group: XmlElement, block: TouchedBlock): Operation[] {
  const where = `Block ${block.to.join(' ') || block.from.join(' ')}`;
  const op = OPERATIONS[group.name];
  if (!op) throw new ViDeltaError(`'${group.name}' is no operation`, where);
  return elementsIn(group).map((element) =>
    element.name === 'block'
      ? readBlockOperation(op, element, block, where)
      : readElementOperation(op, element, block, where),
  );
}

function readBlockOperation(
  op: Operation['op'],
  element: XmlElement,
  block: TouchedBlock,
  where: string,
): Operation {
  const only = (refs: readonly string[]): string => {
    if (refs.length !== 1) throw new ViDeltaError(`a block ${op} names ${refs.length} blocks`, where);
    return refs[0] as string;
  };
  switch (op) {
    case 'insert':
      return { op, element: 'block', to: only(block.to), content: readContent(element, where) };
    case 'delete':
      return { op, element: 'block', from: only(block.from), content: readContent(element, where) };
    case 'move':
      return { op, element: 'block', from: only(block.from), to: only(block.to) };
    case 'update': {
      const structure = text(element, 'structure', where);
      if (structure !== 'split' && structure !== 'merge' && structure !== 'frame') {
        throw new ViDeltaError(`'${structure}' is no change of structure`, where);
      }
      return { op, element: 'block', structure, from: block.from, to: block.to };
    }
  }
}

function readElementOperation(
  op: Operation['op'],
  element: XmlElement,
  block: TouchedBlock,
  where: string,
): Operation {
  const kind = kindOf(element, where);
  const place = (refs: readonly string[], given: string, index: string) => ({
    block: refs.length === 1 ? (refs[0] as string) : text(element, given, where),
    index: whole(element, index, where),
  });
  const from = (index: string) => place(block.from, 'oldBlock', index);
  const to = () => place(block.to, 'newBlock', 'at');
  const value = (side?: 'old' | 'new'): PageElement => readValue(element, kind, side, where);
  switch (op) {
    case 'insert':
      return { op, element: kind, to: to(), new: value() } as Operation;
    case 'delete':
      return { op, element: kind, from: from('at'), old: value() } as Operation;
    case 'update':
      return {
        op,
        element: kind,
        from: from('from'),
        to: to(),
        old: value('old'),
        new: value('new'),
      } as Operation;
    case 'move':
      throw new ViDeltaError('moves between blocks stand outside of them', where);
  }
}

/** An operation that involves two blocks. */
function readBetween(element: XmlElement, op: 'move' | 'update'): Operation {
  const where = `${op} between blocks`;
  const kind = kindOf(element, where);
  const old = readValue(element, kind, undefined, where);
  const now = sided('ID', 'new') in element.attributes ? readValue(element, kind, 'new', where) : old;
  return { op, element: kind, ...places(element, where), old, new: now } as Operation;
}

const places = (element: XmlElement, where: string) => ({
  from: { block: text(element, 'fromBlock', where), index: whole(element, 'from', where) },
  to: { block: text(element, 'toBlock', where), index: whole(element, 'at', where) },
});

function readContent(block: XmlElement, where: string): BlockContent {
  const of = (kind: ElementKind) =>
    elementsIn(block)
      .filter((element) => kindOf(element, where) === kind)
      .map((element) => ({
        index: whole(element, 'at', where),
        value: readValue(element, kind, undefined, where),
      }));
  return { links: of('link'), images: of('image'), texts: of('text') } as BlockContent;
}

const KINDS: Readonly<Record<string, ElementKind>> = { link: 'link', img: 'image', txt: 'text' };

function kindOf(element: XmlElement, where: string): ElementKind {
  const kind = KINDS[element.name];
  if (!kind) throw new ViDeltaError(`'${element.name}' is no link, image or text`, where);
  return kind;
}

function readValue(
  element: XmlElement,
  kind: ElementKind,
  side: 'old' | 'new' | undefined,
  where: string,
): PageElement {
  const given = (name: string): string => text(element, sided(name, side), where);
  const maybe = (name: string): string | undefined => element.attributes[sided(name, side)];
  const id = given('ID');
  if (kind === 'text') return { id, text: given('text') };
  const advertisement = maybe('ad') === 'true' ? { advertisement: true as const } : {};
  if (kind === 'link') return { id, name: given('name'), address: given('adr'), ...advertisement };
  const digest = maybe('digest');
  const source = given('src');
  const candidates = maybe('candidates');
  return {
    id,
    name: given('name'),
    source,
    ...(candidates === undefined ? {} : { candidates }),
    ...(digest === undefined ? {} : { digest }),
    ...advertisement,
  };
}

function readLedger(ledger: XmlElement): DeltaLedger & Pick<Delta, 'from' | 'to'> {
  const parts = elementsIn(ledger);
  const head = (name: string): LayoutHead => {
    const found = parts.find((part) => part.name === name);
    if (!found) throw new ViDeltaError(`there is no ${name}`, 'Ledger');
    const [width, height] = numbers(found, 'viewport', 2, 'Ledger') as [number, number];
    return {
      url: text(found, 'url', 'Ledger'),
      title: text(found, 'title', 'Ledger'),
      version: text(found, 'version', 'Ledger'),
      viewport: { width, height },
      segmenter: text(found, 'segmenter', 'Ledger'),
      ...toldOf(found),
    };
  };
  const frames: FrameChange[] = [];
  const quiet: QuietChange[] = [];
  for (const part of parts) {
    if (part.name === 'frame') frames.push(readFrames(part));
    else if (part.name !== 'From' && part.name !== 'To') quiet.push(readQuiet(part));
  }
  const memory = readMemory(ledger);
  return { from: head('From'), to: head('To'), frames, quiet, ...(memory && { memory }) };
}

function readMemory(ledger: XmlElement): MemoryEdit | undefined {
  const { memoryAt, memoryOld, memoryNew } = ledger.attributes;
  if (memoryAt === undefined) return undefined;
  return {
    at: whole(ledger, 'memoryAt', 'Ledger'),
    ...(memoryOld !== undefined && { old: memoryOld }),
    ...(memoryNew !== undefined && { new: memoryNew }),
  };
}

function readFrames(part: XmlElement): FrameChange {
  const side = (name: string): Frame | undefined => {
    const found = elementsIn(part).find((element) => element.name === name);
    if (!found) return undefined;
    const where = `frame of ${found.attributes.ref ?? '?'}`;
    return {
      ref: text(found, 'ref', where),
      id: text(found, 'ID', where),
      box: numbers(found, 'Pos', 4, where) as unknown as Box,
      doc: numbers(found, 'DoC', 1, where)[0] as number,
      ...typeSizesOf(found),
      importance: numbers(found, 'importance', 1, where)[0] as number,
      parent: text(found, 'parent', where),
      index: whole(found, 'index', where),
    };
  };
  const [before, after] = [side('old'), side('new')];
  if (before) return after ? { old: before, new: after } : { old: before };
  if (after) return { new: after };
  throw new ViDeltaError('a frame has neither old nor new', 'Ledger');
}

function readQuiet(part: XmlElement): QuietChange {
  const kind = kindOf(part, 'Ledger');
  const sides =
    sided('ID', 'old') in part.attributes
      ? {
          values: {
            old: readValue(part, kind, 'old', 'Ledger'),
            new: readValue(part, kind, 'new', 'Ledger'),
          },
        }
      : {};
  return { element: kind, ...places(part, 'Ledger'), ...sides } as QuietChange;
}

function whole(element: XmlElement, name: string, where: string): number {
  const [n] = numbers(element, name, 1, where) as [number];
  if (!Number.isInteger(n) || n < 0) throw new ViDeltaError(`'${name}' is no index`, where);
  return n;
}
