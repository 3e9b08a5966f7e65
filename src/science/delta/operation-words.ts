import type { ReportedOperation, ShownElement } from './delta-json.ts';

/** Most characters of a text that are quoted. */
const QUOTED = 80;

const DONE = { insert: 'new', delete: 'gone', update: 'changed', move: 'moved' } as const;

/** One operation as a person would say it: `text changed in B1.2: “Rain” → “Sun”`. */
export function operationWords(operation: ReportedOperation): string {
  const { op, element, block, fromBlock, structure, blocks, content, old, new: now } = operation;
  if (structure !== undefined) {
    if (structure === 'frame') return `block ${block} has another shape`;
    return structure === 'split'
      ? `block ${fromBlock ?? block} split into ${(blocks ?? []).join(', ')}`
      : `blocks ${(blocks ?? []).join(', ')} merged into ${block}`;
  }
  const where = op === 'move' && fromBlock !== undefined ? ` from ${fromBlock} to ${block}` : ` in ${block}`;
  if (element === 'block') {
    const held = content
      ? ` with ${counted(content.links, 'link')}, ${counted(content.images, 'image')}, ${counted(content.texts, 'text')}`
      : '';
    return `block ${op === 'move' ? `moved from ${fromBlock ?? block} to` : DONE[op]} ${block}${held}`;
  }
  const sides = [old, now].filter((side) => side !== undefined).map((side) => saying(side, old, now));
  const start = op === 'update' ? firstDifference(sides) : 0;
  const said = sides.map((text) => quoted(text, start));
  return `${element} ${DONE[op]}${where}: ${[...new Set(said)].join(' → ')}`;
}

/** The same for readers who already know the place: `link new: “More”`. */
export function wordsWithoutPlace({
  op,
  element,
  structure,
  content,
  old,
  new: now,
}: ReportedOperation): string {
  if (structure === 'split') return 'one block became several';
  if (structure === 'merge') return 'several blocks became one';
  if (structure !== undefined) return 'another shape';
  if (element === 'block') {
    const { links = 0, images = 0, texts = 0 } = content ?? {};
    const held = [counted(links, 'link'), counted(images, 'picture'), counted(texts, 'text')];
    return content ? `with ${held.join(', ')}` : 'with all it holds';
  }
  const sides = [old, now].filter((side) => side !== undefined).map((side) => saying(side, old, now));
  const start = op === 'update' ? firstDifference(sides) : 0;
  const said = sides.map((text) => quoted(text, start));
  return `${element === 'image' ? 'picture' : element}: ${[...new Set(said)].join(' → ')}`;
}

/** Where two long texts first differ, less a few words before that. */
function firstDifference([old = '', now]: readonly string[]): number {
  if (now === undefined) return 0;
  let at = 0;
  while (at < old.length && old[at] === now[at]) at++;
  return at < QUOTED / 2 ? 0 : at - QUOTED / 4;
}

/** The name of a link or image, or its address if that is what changed or all there is. */
function saying(side: ShownElement, old: ShownElement | undefined, now: ShownElement | undefined): string {
  const name = String(side.text ?? side.name ?? '');
  const address = String(side.address ?? side.source ?? '');
  const sameName = old && now && (old.text ?? old.name) === (now.text ?? now.name);
  if (name === '') return /^(?:data|svg):/.test(address) ? 'without a name' : address;
  return sameName && address !== '' ? `${name} ${address}` : name;
}

function quoted(text: string, from: number): string {
  const begin = from > 0 ? `…${text.slice(from)}` : text;
  return `“${begin.length > QUOTED ? `${begin.slice(0, QUOTED - 1)}…` : begin}”`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
