/** A picture of a site's evolution: its directories as a tree, each with a strip of its degree of change, rules marked. */
import type { DeltaTree, Window } from '../../science/evolution/delta-tree.ts';
import type { NegativeRule } from '../../science/evolution/near-miner.ts';
import type { PlotDescription } from '../experiment/plot.ts';

/** More rows than this cannot be read. */
const MOST_ROWS = 45;
/** More columns than this cannot be distinguished: the last ones are shown. */
const MOST_COLUMNS = 120;
const LONGEST_LABEL = 44;

/** Of these transitions. */
export function degreeStrips(
  deltas: DeltaTree,
  rules: readonly NegativeRule[],
  { from = 0, to = deltas.transitions }: Window = {},
): PlotDescription[] {
  const columns = Array.from({ length: to - from }, (_, k) => from + k).slice(-MOST_COLUMNS);
  if (columns.length === 0) return [];
  const tails = new Set(rules.map(({ tail }) => tail));
  const heads = new Set(rules.flatMap(({ head }) => head));
  const mark = (id: number): string => (tails.has(id) ? ' ¬' : heads.has(id) ? ' ⇒' : '');
  return [
    {
      title: 'Degree of change of directories',
      x: '⇒ in the head of a rule, ¬ the tail of one; version',
      y: 'degree of change',
      kind: 'heat',
      series: chosen(deltas, columns, [...heads, ...tails]).map((id) => ({
        name: `${short(deltas.tree.path(id))}${mark(id)}`,
        points: columns.map((k) => ({ x: k + 2, y: deltas.degreeOfChange(id, k) })),
      })),
    },
  ];
}

/** Directories in rules, then those that changed most, each with its ancestors; in tree order. */
function chosen(deltas: DeltaTree, columns: readonly number[], marked: readonly number[]): number[] {
  const { tree } = deltas;
  const total = (id: number): number => columns.reduce((sum, k) => sum + deltas.degreeOfChange(id, k), 0);
  const byChange = Array.from({ length: tree.size }, (_, id) => [id, total(id)] as const)
    .filter(([, sum]) => sum > 0)
    .sort((a, b) => b[1] - a[1]);
  const rows = new Set<number>([0]);
  for (const id of [...marked, ...byChange.map(([each]) => each)]) {
    const path: number[] = [];
    for (let at = id; at >= 0 && !rows.has(at); at = tree.parent(at)) path.push(at);
    if (rows.size + path.length <= MOST_ROWS) for (const at of path) rows.add(at);
  }
  return [...rows].sort((a, b) => (tree.path(a) < tree.path(b) ? -1 : 1));
}

const short = (path: string): string =>
  path.length <= LONGEST_LABEL ? path : `…${path.slice(1 - LONGEST_LABEL)}`;
