import type { HtmlTree } from '../model/html-tree.ts';
import type { Block, Layout } from '../model/layout.ts';
import { unpackSnapshot } from '../model/snapshot-codec.ts';
import type { AdRecogniser } from '../ports/ad-recogniser.ts';
import type { Filling, FillRequest } from '../ports/page-analyser.ts';
import { blocks } from '../science/layout/blocks/index.ts';
import { KeptLayouts } from '../science/layout/kept-layouts.ts';
import { fillTemplate } from '../science/layout/template/fill-template.ts';
import { firstDifference, type Learning, learnTemplate } from '../science/layout/template/learn-template.ts';
import { parseViXml, writeViXml } from '../science/layout/vi-xml.ts';
import { layoutOptions, placedFrom } from './stored/layout.ts';
import { picturesOf } from './stored/snapshot.ts';

/** Reads HTML as browsers do: src/capture/html/html-tree.ts. */
export type ParseHtml = (html: string) => HtmlTree;

/** Templates that are kept in memory, at several MB each. */
const KEPT = 16;

/**
 * Layouts without a browser: a template is learned from the given rendered version, and filled from the new
 * version's HTML. A page is requested twice in a row, without its pictures and with them, and again at its next
 * version: so the last templates are kept. They are not stored anywhere: what they are learned from is.
 */
export function createTemplateFiller(
  parse: ParseHtml,
  ads?: AdRecogniser,
  layouts = new KeptLayouts(),
): (request: FillRequest) => Filling {
  const kept = new Map<string, Learned>();

  function learned({ url, of }: FillRequest): Learned {
    const name = `${of.version} ${url}`;
    const known = kept.get(name) ?? learn(url, of, parse, ads);
    kept.delete(name);
    kept.set(name, known);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
    return known;
  }

  return (request) => {
    const { learning, layout: of } = learned(request);
    if (learning.kind === 'refused') return { kind: 'render', reason: learning.reason };
    const { url, version, html, pictures, rendered } = request;
    const filling = fillTemplate(learning.template, parse(html), {
      segmenter: blocks.name,
      ...layoutOptions(url, version, pictures, ads),
    });
    if (filling.kind === 'render') return filling;
    const layout = { ...filling.layout, url };
    // Cut along the layout the template comes from: versions filled in between remember the same cut.
    const differsAt = rendered && difference(layout, placedFrom(rendered, url, version, ads, of).layout);
    const viXml = writeViXml(layout);
    // It is analysed next.
    layouts.keep(viXml, layout);
    return {
      kind: 'filled',
      viXml,
      title: layout.title,
      ...contentOf(layout),
      ...(differsAt && { differsAt }),
    };
  };
}

interface Learned {
  readonly learning: Learning;
  /** The layout of the version it was learned from. */
  readonly layout?: Layout;
}

function learn(url: string, of: FillRequest['of'], parse: ParseHtml, ads: AdRecogniser | undefined): Learned {
  const { version, html, packed } = of;
  const { version: _, ...options } = layoutOptions(url, version, picturesOf(packed), ads);
  const snapshot = unpackSnapshot(packed);
  if (snapshot.cut !== undefined)
    return { learning: { kind: 'refused', reason: `the snapshot is cut: ${snapshot.cut}` } };
  // Along its own layout a page is cut as before.
  const own = of.viXml === undefined ? undefined : parseViXml(of.viXml);
  const placed = placedFrom(packed, url, version, ads, own);
  const learning = learnTemplate(parse(html), snapshot, placed, { segmenter: blocks.name, ...options });
  return { learning, layout: placed.layout };
}

/** Where a filled layout differs from the result of rendering and segmenting: ids are hashes of all content. */
export function difference(filled: Layout, rendered: Layout): string | undefined {
  if (filled.title !== rendered.title) return 'the title';
  if (filled.root.id === rendered.root.id) return undefined;
  return firstDifference(rendered.root, filled.root) ?? rendered.root.ref;
}

function contentOf({ root }: Layout): { text: string; sources: string[] } {
  const lines: string[] = [];
  const sources = new Set<string>();
  const walk = (block: Block): void => {
    for (const { text } of block.texts) lines.push(text);
    for (const { name } of block.links) if (name !== '') lines.push(name);
    for (const { source } of block.images) sources.add(source);
    block.blocks.forEach(walk);
  };
  walk(root);
  return { text: lines.join('\n'), sources: [...sources] };
}
