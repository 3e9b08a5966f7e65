/**
 * Where a picture's address is found in the HTML: the browser chose one of several, and will choose the same way next
 * time.
 */
import type { HtmlTree } from '../../../model/html-tree.ts';
import { candidatesOf, type SketchNode } from './sketch.ts';
import type { Resolve } from './url-names.ts';

/** `src`, the name of another attribute, `srcset 2`, or `source 1 0`: candidate 0 of the second source element. */
export type SourceRule = string;

/** Attributes of the `source` elements in a video, or in the picture element around an image. */
export type SourcesOf = (node: SketchNode) => readonly Readonly<Record<string, string>>[];

export function sourcesIn({ nodes }: HtmlTree): SourcesOf {
  return ({ tag, source }) => {
    const holder = tag === 'img' ? (nodes[source]?.parent ?? -1) : source;
    const around = nodes[holder];
    if (around?.kind !== 'element' || (tag === 'img' && around.tag !== 'picture')) return [];
    const found: Readonly<Record<string, string>>[] = [];
    for (let i = holder + 1; i < around.end; i++) {
      const node = nodes[i];
      if (node?.kind === 'element' && node.tag === 'source') found.push(node.attributes);
    }
    return found;
  };
}

/** Undefined where the address is not in the HTML; '' where the picture has none. */
export function findRule(
  source: string | undefined,
  node: SketchNode,
  sources: SourcesOf,
  resolve: Resolve,
): SourceRule | undefined {
  const { attributes } = node;
  if (source === undefined) return attributes.src ? undefined : '';
  const matches = (url: string | undefined): boolean =>
    url !== undefined && url !== '' && resolve(url.trim()) === source;
  for (const [i, element] of sources(node).entries()) {
    const at = candidatesOf(element.srcset ?? '').findIndex(([url]) => matches(url));
    if (at >= 0) return `source ${i} ${at}`;
    if (matches(element.src)) return `source ${i} src`;
  }
  const at = candidatesOf(attributes.srcset ?? '').findIndex(([url]) => matches(url));
  if (at >= 0) return `srcset ${at}`;
  if (matches(attributes.src)) return 'src';
  return Object.keys(attributes).find((name) => matches(attributes[name]));
}

export function applyRule(rule: SourceRule, node: SketchNode, sources: SourcesOf): string | undefined {
  const [kind = '', i, j] = rule.split(' ');
  if (kind === 'source' && j === 'src') return sources(node)[Number(i)]?.src;
  if (kind === 'source') return candidatesOf(sources(node)[Number(i)]?.srcset ?? '')[Number(j)]?.[0];
  if (kind === 'srcset') return candidatesOf(node.attributes.srcset ?? '')[Number(i)]?.[0];
  return node.attributes[kind];
}
