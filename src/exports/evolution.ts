/** `daguerre/evolution`: directories that change together (NEAR-Miner), and crawls that skip by them (WARM). */
export { DeltaTree } from '../science/evolution/delta-tree.ts';
export { DirectoryTree } from '../science/evolution/directory-tree.ts';
export {
  type MiningThresholds,
  mineRules,
  NearMiner,
  type NegativeRule,
} from '../science/evolution/near-miner.ts';
export { type RuleSkip, warm } from '../science/evolution/warm.ts';
export { VersionDiffer, type VersionPage } from '../science/evolution/wd-diff.ts';
