/**
 * The judged blocks (docs/judged-advertisements.md): which parts of a page are advertisements. The table holds names,
 * digests and paths only.
 */
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { nodeAt } from './snapshot-path.ts';

export const BLOCK_JUDGEMENTS = ['ad', 'promo', 'none', 'mixed'] as const;
export type BlockJudgement = (typeof BLOCK_JUDGEMENTS)[number];

export interface JudgedBlocks {
  readonly page: string;
  readonly version: string;
  /** Digest of the version's HTML. */
  readonly digest: string;
  readonly blocks: readonly { readonly path: string; readonly judgement: BlockJudgement }[];
}

/** From `test/judged/advertisements.tsv`: one entry per version. */
export function readJudgedBlocks(table: string): JudgedBlocks[] {
  const versions = new Map<string, JudgedBlocks & { blocks: JudgedBlocks['blocks'][number][] }>();
  for (const [i, line] of table.trimEnd().split('\n').slice(1).entries()) {
    const [page = '', version = '', digest = '', path = '', judgement = ''] = line.split('\t');
    if (!isBlockJudgement(judgement)) {
      throw new RangeError(`line ${i + 2}: '${judgement}' is not ${BLOCK_JUDGEMENTS.join(', ')}`);
    }
    const key = `${page} ${version}`;
    const own = versions.get(key) ?? { page, version, digest, blocks: [] };
    versions.set(key, own);
    own.blocks.push({ path, judgement });
  }
  return [...versions.values()];
}

const isBlockJudgement = (cell: string): cell is BlockJudgement =>
  (BLOCK_JUDGEMENTS as readonly string[]).includes(cell);

/**
 * The judgement for each node of the snapshot: that of the innermost judged block around it, undefined outside all of
 * them.
 */
export function judgedNodes(
  snapshot: PageSnapshot,
  { page, version, blocks }: JudgedBlocks,
): (BlockJudgement | undefined)[] {
  const own = new Map<number, BlockJudgement>();
  for (const { path, judgement } of blocks) {
    const node = nodeAt(snapshot, path);
    if (node === undefined)
      throw new Error(`${page} ${version} has no ${path}: another version, or browser?`);
    own.set(node, judgement);
  }
  const of: (BlockJudgement | undefined)[] = [];
  snapshot.nodes.forEach((node, i) => {
    of[i] = own.get(i) ?? (node.parent >= 0 ? of[node.parent] : undefined);
  });
  return of;
}
