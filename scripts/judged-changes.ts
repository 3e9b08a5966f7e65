/**
 * Contents of the table of judged changes, and how far the two rounds of judging agree:
 *
 *   tsx scripts/judged-changes.ts
 */
import { readFileSync } from 'node:fs';
import { agreementOf } from '../src/lab/judged/agreement.ts';
import { type JudgedComparison, readComparisons } from '../src/lab/judged/judged-changes.ts';

const all = readComparisons(readFileSync(new URL('../test/judged/changes.tsv', import.meta.url), 'utf8'));
const count = (list: readonly JudgedComparison[], of: (one: JudgedComparison) => boolean): number =>
  list.filter(of).length;

for (const [name, list] of [
  ['unstyled versions', all.filter(({ styled }) => !styled)],
  ['styled edits', all.filter(({ styled }) => styled)],
] as const) {
  console.log(
    name,
    `${list.length} comparisons,`,
    `${count(list, ({ a, b }) => a.change.page === b.change.page)} within a page,`,
    `a ${count(list, ({ judgement }) => judgement === 'a')},`,
    `b ${count(list, ({ judgement }) => judgement === 'b')},`,
    `tie ${count(list, ({ judgement }) => judgement === 'tie')}`,
  );
}
const twice = all.flatMap(({ judgement, again }) => (again ? [[judgement, again] as const] : []));
console.log('judged twice', agreementOf(twice));
