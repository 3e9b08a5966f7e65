import { parseSelector, select } from '../../model/css-selector.ts';
import type { LinkSelector } from '../../model/link-selector.ts';
import { linkResolver } from '../scope/normalise.ts';
import { parseHtmlTree } from './html-tree.ts';

/**
 * The links that selectors choose, absolute, each once; from the HTML's bytes, so a property means the attribute of that name.
 */
export function selectedLinks(html: string, baseUrl: string, selectors: readonly LinkSelector[]): string[] {
  const tree = parseHtmlTree(html);
  const base = tree.nodes.find((node) => node.kind === 'element' && node.tag === 'base');
  const declared = base?.kind === 'element' ? base.attributes.href : undefined;
  const address =
    declared !== undefined && URL.canParse(declared, baseUrl) ? new URL(declared, baseUrl).href : baseUrl;
  const resolve = linkResolver(address);
  const links = new Set<string>();
  for (const { css, name } of selectors) {
    for (const index of select(tree, parseSelector(css))) {
      const node = tree.nodes[index];
      const href = node?.kind === 'element' ? node.attributes[name.toLowerCase()] : undefined;
      const link = href === undefined ? undefined : resolve(href.trim());
      if (link !== undefined) links.add(link);
    }
  }
  return [...links];
}
