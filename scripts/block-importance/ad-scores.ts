import type { PageSnapshot } from '../../src/model/page-snapshot.ts';
import type { AdJudge } from '../../src/science/layout/ad-signals.ts';
import { linkAddress, pictureSource } from '../../src/science/layout/element-kinds.ts';
import type { AddressedKind } from '../../src/science/layout/leaf-content.ts';

/** How well a judge of advertisements agrees with people who marked blocks as `Ad`. */
interface AdScores {
  /** Links, images and frames: marked and found, found only, marked only. */
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly precision: number;
  readonly recall: number;
  /** Marked blocks that hold any such element, and those of them in which one was found. */
  readonly blocks: number;
  readonly blocksFound: number;
}

export interface JudgedPage {
  readonly snapshot: PageSnapshot;
  readonly judge: AdJudge;
}

export function adScores(pages: Iterable<JudgedPage>): AdScores {
  let [right, wrong, missed, blocks, blocksFound] = [0, 0, 0, 0, 0];
  for (const { snapshot, judge } of pages) {
    const adOf = markedAds(snapshot);
    const marked = new Set<number>();
    const found = new Set<number>();
    for (const { url, kind, node } of adCandidates(snapshot)) {
      const ad = adOf[node] as number;
      const said = judge(url, kind, node);
      if (ad >= 0) marked.add(ad);
      if (said && ad >= 0) {
        right++;
        found.add(ad);
      } else if (said) wrong++;
      else if (ad >= 0) missed++;
    }
    blocks += marked.size;
    blocksFound += found.size;
  }
  const precision = right + wrong > 0 ? right / (right + wrong) : 0;
  const recall = right + missed > 0 ? right / (right + missed) : 0;
  return { right, wrong, missed, precision, recall, blocks, blocksFound };
}

/** For each node the marked `Ad` it stands in, -1 for none; another mark inside it ends it. */
function markedAds({ nodes }: PageSnapshot): Int32Array {
  const adOf = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    const type = node.kind === 'element' ? node.attributes['data-block-type'] : undefined;
    if (type !== undefined) adOf[i] = type === 'Ad' ? i : -1;
    else if (node.parent >= 0) adOf[i] = adOf[node.parent] as number;
  });
  return adOf;
}

/** Elements a snapshot shows that could be advertisements, with their addresses: what a judge is asked about. */
export function adCandidates(snapshot: PageSnapshot): { node: number; url: string; kind: AddressedKind }[] {
  const found: { node: number; url: string; kind: AddressedKind }[] = [];
  snapshot.nodes.forEach((element, node) => {
    if (element.kind !== 'element') return;
    const address = linkAddress(element);
    if (address !== undefined) found.push({ node, url: address, kind: 'link' });
    const frame = element.tag === 'iframe' || element.tag === 'frame';
    const source =
      frame || ['img', 'embed', 'object', 'video'].includes(element.tag) ? pictureSource(element) : undefined;
    if (source !== undefined) found.push({ node, url: source, kind: frame ? 'frame' : 'image' });
  });
  return found;
}
