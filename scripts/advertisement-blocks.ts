/**
 * Cuts versions of pages into the blocks that were judged in test/judged/advertisements.tsv:
 *
 *   tsx scripts/advertisement-blocks.ts <folder of kept snapshots> <page> <version>
 *
 * Prints for each block its path, how many links, pictures and frames it holds, the hosts they lead to, and its first
 * texts: what the judge read. The folder is the one of `lab deltas --snapshots`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotPath } from '../src/lab/judged/snapshot-path.ts';
import type { PageSnapshot } from '../src/model/page-snapshot.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { adCandidates } from './block-importance/ad-scores.ts';

/** Most links, pictures and frames in a block. */
const LARGEST = 12;
/** A list with at least this many entries stays whole if they are small, and the most that each of them may hold. */
const [LIST_LENGTH, SMALL] = [5, 2];
const SHOWN_LETTERS = 120;

const [folder, page, version] = process.argv.slice(2);
if (!folder || !page || !version) throw new Error('three arguments: see the head of this script');
const files = readdirSync(join(folder, page)).filter((file) => file.startsWith(version));
const file = files.find((name) => name.endsWith('-plain.json')) ?? files[0];
if (file === undefined) throw new Error(`${folder} holds no snapshot of ${page} ${version}`);
const snapshot = unpackSnapshot(readFileSync(join(folder, page, file), 'utf8'));

const candidates = adCandidates(snapshot);
const held = new Int32Array(snapshot.nodes.length);
for (const { node } of candidates)
  for (let i = node; i >= 0; i = parentOf(i)) held[i] = (held[i] as number) + 1;
const children = new Map<number, number[]>();
snapshot.nodes.forEach(({ parent }, i) => {
  if ((held[i] as number) > 0) children.set(parent, [...(children.get(parent) ?? []), i]);
});

function parentOf(node: number): number {
  return snapshot.nodes[node]?.parent ?? -1;
}

function blocksIn(node: number): number[] {
  const inner = children.get(node) ?? [];
  const isList = inner.length >= LIST_LENGTH && inner.every((one) => (held[one] as number) <= SMALL);
  return (held[node] as number) <= LARGEST || inner.length === 0 || isList ? [node] : inner.flatMap(blocksIn);
}

function isInside(node: number, block: number): boolean {
  let i = node;
  while (i > block) i = parentOf(i);
  return i === block;
}

function textsOf({ nodes }: PageSnapshot, block: number): string {
  let text = '';
  for (let i = block; i < nodes.length && isInside(i, block) && text.length < SHOWN_LETTERS; i++) {
    const node = nodes[i];
    if (node?.kind === 'text') text += `${text ? ' / ' : ''}${node.text}`;
  }
  return text.slice(0, SHOWN_LETTERS);
}

for (const block of blocksIn(0)) {
  const hosts = candidates
    .filter(({ node }) => isInside(node, block))
    .map(({ url }) => (URL.canParse(url) ? new URL(url).host : ''));
  console.log(
    snapshotPath(snapshot, block),
    held[block],
    [...new Set(hosts)].join(','),
    textsOf(snapshot, block),
    '',
  );
}
