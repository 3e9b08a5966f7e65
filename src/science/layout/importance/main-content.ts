import type { PageSnapshot } from '../../../model/page-snapshot.ts';

/**
 * Finds the element that holds the main content, by the idea of Mozilla Readability (score paragraphs, give the score
 * to parent and grandparent, discount by link density, take the best), as pure code on the snapshot. Readability itself
 * needs a DOM, modifies it, and takes 0.2-1 s per page.
 *
 * Departures: no scores for class names (they are block features in their own right); the snapshot's line-breaking
 * boxes stand for paragraphs.
 */

/** In characters. Shorter runs are labels, not prose. */
const SHORTEST = 25;

interface MainContent {
  /** The best element's node; -1 where no element has prose. */
  readonly node: number;
  /** 1 for each node inside it. */
  readonly inside: Uint8Array;
}

export function mainContent(snapshot: PageSnapshot): MainContent {
  const { nodes } = snapshot;
  const score = new Float64Array(nodes.length);
  const text = new Float64Array(nodes.length);
  const linked = new Float64Array(nodes.length);
  const inLink = new Uint8Array(nodes.length);
  nodes.forEach((node, i) => {
    if (node.parent >= 0 && inLink[node.parent] === 1) inLink[i] = 1;
    if (node.kind === 'element' && node.tag === 'a') inLink[i] = 1;
    if (node.kind !== 'text') return;
    text[i] = node.text.length;
    if (inLink[i] === 1) linked[i] = node.text.length;
    else if (node.text.length >= SHORTEST) {
      const commas = node.text.split(/[,，、،]/u).length - 1;
      const points = 1 + Math.min(commas, 10) + Math.min(node.text.length / 100, 3);
      const parent = nodes[node.parent]?.parent ?? -1;
      // The text's own element is the paragraph; its parent and grandparent are the candidates.
      if (parent >= 0) {
        score[parent] = (score[parent] as number) + points;
        const grand = nodes[parent]?.parent ?? -1;
        if (grand >= 0) score[grand] = (score[grand] as number) + points / 2;
      }
    }
  });
  for (let i = nodes.length - 1; i > 0; i--) {
    const parent = nodes[i]?.parent ?? -1;
    if (parent < 0) continue;
    text[parent] = (text[parent] as number) + (text[i] as number);
    linked[parent] = (linked[parent] as number) + (linked[i] as number);
  }
  let best = -1;
  let most = 0;
  for (let i = 0; i < nodes.length; i++) {
    const density = (linked[i] as number) / Math.max(1, text[i] as number);
    const value = (score[i] as number) * (1 - density);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  const inside = new Uint8Array(nodes.length);
  if (best >= 0) {
    nodes.forEach((node, i) => {
      if (i === best || (node.parent >= 0 && inside[node.parent] === 1)) inside[i] = 1;
    });
  }
  return { node: best, inside };
}
