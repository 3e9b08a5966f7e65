import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import type { LeafContent } from '../leaf-content.ts';
import { type ElementTest, simpleSelector } from '../simple-selector.ts';
import { BLOCK_ROLES, type BlockRole, landmarks } from './landmarks.ts';

/**
 * Weights that people set for a site (Ben Saad et al. 2012 §7.2 set all of them by hand). A rule names blocks by their
 * landmark role, or by a CSS selector on tag, id, class and attributes of an element around the block; its weight
 * multiplies the block's own: 0 takes the block out, 1 changes nothing. The last matching rule counts.
 */
export type ManualWeight =
  | { readonly role: BlockRole; readonly weight: number }
  | { readonly selector: string; readonly weight: number };

interface Rule {
  readonly weight: number;
  readonly role: BlockRole | undefined;
  readonly test: ElementTest | undefined;
}

/** Problems with rules from a configuration; empty if there are none. */
export function manualWeightProblems(rules: readonly ManualWeight[]): string[] {
  return rules.flatMap((rule, i) => {
    const where = `weight ${i + 1}`;
    if (!(Number.isFinite(rule.weight) && rule.weight >= 0)) {
      return [`${where}: ${rule.weight} is no weight; it must be 0 or more`];
    }
    if ('role' in rule) {
      const known = (BLOCK_ROLES as readonly string[]).includes(rule.role);
      return known ? [] : [`${where}: no role '${rule.role}'; there are: ${BLOCK_ROLES.join(', ')}`];
    }
    const sound = simpleSelector(rule.selector) !== undefined;
    return sound
      ? []
      : [`${where}: '${rule.selector}' is no selector for one element (no spaces, '>' or ':')`];
  });
}

/** One factor per leaf. Throws RangeError for rules that manualWeightProblems refuses. */
export function manualFactors(
  snapshot: PageSnapshot,
  leaves: readonly LeafContent[],
  rules: readonly ManualWeight[],
): number[] {
  if (rules.length === 0) return leaves.map(() => 1);
  const problems = manualWeightProblems(rules);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const prepared = rules.map((rule): Rule => {
    const { weight } = rule;
    return 'role' in rule
      ? { weight, role: rule.role, test: undefined }
      : { weight, role: undefined, test: simpleSelector(rule.selector) };
  });
  const roles = landmarks(snapshot);
  return leaves.map(({ segment: { nodes } }) => {
    let factor = 1;
    for (const { weight, role, test } of prepared) {
      const fits =
        role !== undefined
          ? nodes.some((i) => roles[i] === role)
          : nodes.some((i) => within(snapshot, i, test));
      if (fits) factor = weight;
    }
    return factor;
  });
}

function within(snapshot: PageSnapshot, start: number, test: ElementTest | undefined): boolean {
  for (let i = start; i >= 0; ) {
    const node = snapshot.nodes[i];
    if (!node) return false;
    if (node.kind === 'element' && test?.(node)) return true;
    i = node.parent;
  }
  return false;
}
