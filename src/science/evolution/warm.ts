/**
 * L. Chen, S. S. Bhowmick, W. Nejdl: NEAR-Miner: Mining Evolution Associations of Web Site Directories for Efficient
 * Maintenance of Web Archives. PVLDB 2(1), 2009. § 5, Algorithm 4: WARM.
 *
 * Idea: which directories below a target are not archived this time. Top-down; a directory is left out when a rule says
 * that it does not change while the pattern P does; otherwise P grows by it where some rule needs that.
 *
 *   s_x    the target            `target`; any directory
 *   Γ      the rules             `rules`; those that begin with the target act
 *   P      the pattern           belongs to its branch
 *
 * Reading: P grows by every directory that continues the head of some rule, P ∪ s being a *prefix* of it. Read
 * literally (line 12), only a rule with exactly that head lets P grow, and rules with longer heads never apply.
 *
 * Cost: O(directories below the target + length of all heads).
 */
import type { DirectoryTree } from './directory-tree.ts';
import type { NegativeRule } from './near-miner.ts';

export interface RuleSkip {
  readonly directory: number;
  readonly rule: NegativeRule;
}

export function warm(target: number, tree: DirectoryTree, rules: Iterable<NegativeRule>): RuleSkip[] {
  const byHead = new Map<string, NegativeRule>();
  const prefixes = new Set<string>();
  for (const rule of rules) {
    if (rule.head[0] !== target) continue;
    byHead.set(`${rule.head.join(' ')} > ${rule.tail}`, rule);
    for (let k = 1; k <= rule.head.length; k++) prefixes.add(rule.head.slice(0, k).join(' '));
  }
  const skips: RuleSkip[] = [];
  const open: (readonly [directory: number, pattern: string])[] = [[target, String(target)]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [at, pattern] = next;
    for (const directory of tree.children(at)) {
      const rule = byHead.get(`${pattern} > ${directory}`);
      const grown = `${pattern} ${directory}`;
      if (rule) skips.push({ directory, rule });
      else open.push([directory, prefixes.has(grown) ? grown : pattern]);
    }
  }
  return skips.sort((a, b) => a.directory - b.directory);
}
