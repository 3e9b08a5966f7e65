import type { DirectoryTree } from './directory-tree.ts';
import type { NegativeRule } from './near-miner.ts';

/**
 * WARM (NEAR-Miner 2009, Algorithm 4): which directories below a target are not archived this time. Top-down; a
 * directory is left out when a rule says that it does not change while the pattern P does, and else P grows by it
 * where some rule needs that.
 *
 * Reading: P grows by every directory that continues the head of some rule, P ∪ s being a *prefix* of it. Read
 * literally, only a rule with exactly that head lets P grow, and rules with longer heads never apply. P belongs to
 * its branch.
 */
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
