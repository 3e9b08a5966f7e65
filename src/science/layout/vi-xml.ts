import type { Block, ImageElement, Layout, LinkElement, TextElement } from '../../model/layout.ts';
import type { Box } from '../../model/page-snapshot.ts';
import { attributeReader, elementsIn, parseXml, type XmlElement, xmlAttributes, xmlText } from './xml.ts';

/**
 * Vi-XML, the written form of a layout (Pehlivan, Ben Saad, Gançarski 2009, §3.2 and Figure 3):
 * `Document > Block … > Links, Imgs, Txts`. Its schema is schemas/vi-xml.xsd. Writing and reading are inverse.
 *
 * Departures: `Document` also names viewport, segmenter and format; a block has its importance; an image has the
 * digest of its picture; an advertisement is marked. Only leaves have Links, Imgs and Txts, and only those that
 * hold something. There is no namespace, as in the paper: queries read `//Block[@importance > 0.2]//link`.
 */

const FORMAT = '1';

export class ViXmlError extends Error {
  constructor(problem: string, where: string) {
    super(`${where}: ${problem}`);
    this.name = 'ViXmlError';
  }
}

const { text, numbers } = attributeReader((problem, where) => new ViXmlError(problem, where));

export function writeViXml(layout: Layout): string {
  const { url, title, version, segmenter, viewport, partial, previous, memory, root } = layout;
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  const size = `${viewport.width} ${viewport.height}`;
  const head = { url, title, version, viewport: size, segmenter, partial, previous, memory };
  out.push(`<Document format="${FORMAT}"${xmlAttributes(head)}>\n`);
  // Blocks still to be written, interspersed with closing tags.
  const stack: (Block | string)[] = [root];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === 'string') {
      out.push(item);
      continue;
    }
    writeBlock(item, out);
    stack.push('</Block>\n');
    for (let i = item.blocks.length - 1; i >= 0; i--) stack.push(item.blocks[i] as Block);
  }
  out.push('</Document>\n');
  return out.join('');
}

function writeBlock(block: Block, out: string[]): void {
  const attributes = xmlAttributes({
    Ref: block.ref,
    ID: block.id,
    Pos: block.box.join(' '),
    DoC: block.doc,
    type: block.typeSizes,
    importance: block.importance,
    leaf: String(block.blocks.length === 0),
  });
  out.push(`<Block${attributes}>\n`);
  writeList(out, 'Links', block.links, ({ id, name, address, advertisement }) => {
    return `<link${xmlAttributes({ ID: id, Name: name, Adr: address, ad: mark(advertisement) })}/>`;
  });
  writeList(out, 'Imgs', block.images, ({ id, name, source, candidates, digest, advertisement }) => {
    const ad = mark(advertisement);
    return `<img${xmlAttributes({ ID: id, Name: name, Src: source, candidates, digest, ad })}/>`;
  });
  writeList(
    out,
    'Txts',
    block.texts,
    ({ id, text }) => `<txt${xmlAttributes({ ID: id })}>${xmlText(text)}</txt>`,
  );
}

const mark = (advertisement: true | undefined): string | undefined => (advertisement ? 'true' : undefined);

function writeList<T>(out: string[], name: string, items: readonly T[], write: (item: T) => string): void {
  if (items.length === 0) return;
  out.push(`<${name}>\n`);
  for (const item of items) out.push(write(item), '\n');
  out.push(`</${name}>\n`);
}

/** Throws XmlError if it is not XML (with line and column), ViXmlError if it is not Vi-XML (with the block). */
export function parseViXml(source: string): Layout {
  const document = parseXml(source);
  if (document.name !== 'Document') throw new ViXmlError(`the root is '${document.name}'`, 'Document');
  const format = text(document, 'format', 'Document');
  if (format !== FORMAT) throw new ViXmlError(`format '${format}' is not known`, 'Document');
  const [width, height] = numbers(document, 'viewport', 2, 'Document') as [number, number];
  const roots = elementsIn(document);
  const [root] = roots;
  if (!root || roots.length > 1) throw new ViXmlError(`${roots.length} blocks instead of one`, 'Document');
  return {
    url: text(document, 'url', 'Document'),
    title: text(document, 'title', 'Document'),
    version: text(document, 'version', 'Document'),
    viewport: { width, height },
    segmenter: text(document, 'segmenter', 'Document'),
    ...toldOf(document),
    ...(document.attributes.memory !== undefined && { memory: document.attributes.memory }),
    root: readBlocks(root),
  };
}

/** Reads a block element, in whichever document it is. */
export const typeSizesOf = ({ attributes }: XmlElement): { typeSizes?: string } =>
  attributes.type === undefined ? {} : { typeSizes: attributes.type };

/** Reads a layout's head, in whichever document it is. */
export const toldOf = ({
  attributes: { partial, previous },
}: XmlElement): Pick<Layout, 'partial' | 'previous'> => ({
  ...(partial !== undefined && { partial }),
  ...(previous !== undefined && { previous }),
});

interface Open {
  readonly element: XmlElement;
  readonly parts: readonly XmlElement[];
  readonly blocks: Block[];
  next: number;
}

function readBlocks(root: XmlElement): Block {
  const open = (element: XmlElement): Open => ({ element, parts: elementsIn(element), blocks: [], next: 0 });
  const stack: Open[] = [open(root)];
  for (;;) {
    const top = stack.at(-1) as Open;
    const part = top.parts[top.next++];
    if (part?.name === 'Block') {
      stack.push(open(part));
      continue;
    }
    if (part) continue;
    stack.pop();
    const block = readBlock(top);
    const parent = stack.at(-1);
    if (!parent) return block;
    parent.blocks.push(block);
  }
}

function readBlock({ element, parts, blocks }: Open): Block {
  if (element.name !== 'Block') throw new ViXmlError(`'${element.name}' instead of a block`, 'Document');
  const ref = text(element, 'Ref', 'Block');
  const lists: Record<string, readonly XmlElement[]> = { Links: [], Imgs: [], Txts: [] };
  for (const part of parts) {
    if (part.name === 'Block') continue;
    if (!(part.name in lists)) throw new ViXmlError(`'${part.name}' is no part of a block`, ref);
    lists[part.name] = elementsIn(part);
  }
  return {
    ref,
    id: text(element, 'ID', ref),
    box: numbers(element, 'Pos', 4, ref) as unknown as Box,
    doc: (numbers(element, 'DoC', 1, ref) as [number])[0],
    ...typeSizesOf(element),
    importance: (numbers(element, 'importance', 1, ref) as [number])[0],
    links: (lists.Links ?? []).map((link) => readLink(link, ref)),
    images: (lists.Imgs ?? []).map((image) => readImage(image, ref)),
    texts: (lists.Txts ?? []).map((txt) => readText(txt, ref)),
    blocks,
  };
}

function readLink(element: XmlElement, where: string): LinkElement {
  expectName(element, 'link', where);
  const [id, name, address] = [
    text(element, 'ID', where),
    text(element, 'Name', where),
    text(element, 'Adr', where),
  ];
  return { id, name, address, ...advertisement(element) };
}

function readImage(element: XmlElement, where: string): ImageElement {
  expectName(element, 'img', where);
  const { candidates, digest } = element.attributes;
  return {
    id: text(element, 'ID', where),
    name: text(element, 'Name', where),
    source: text(element, 'Src', where),
    ...(candidates === undefined ? {} : { candidates }),
    ...(digest === undefined ? {} : { digest }),
    ...advertisement(element),
  };
}

function readText(element: XmlElement, where: string): TextElement {
  expectName(element, 'txt', where);
  return {
    id: text(element, 'ID', where),
    text: element.children.filter((c) => typeof c === 'string').join(''),
  };
}

const advertisement = (element: XmlElement): { advertisement?: true } =>
  element.attributes.ad === 'true' ? { advertisement: true } : {};

function expectName(element: XmlElement, name: string, where: string): void {
  if (element.name !== name) throw new ViXmlError(`'${element.name}' instead of '${name}'`, where);
}
