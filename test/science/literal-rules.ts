import { sitePath } from '../../src/science/evolution/site-path.ts';
import type { VersionPage } from '../../src/science/evolution/wd-diff.ts';

/**
 * Definitions 1 to 10 of NEAR-Miner (2009) read literally, over sets of paths and all chains of directories: slow, and
 * with nothing in common with the miner. Def. 9 counts the tail as s(m+1), as the paper's Example 5 does; Def. 8 holds
 * for prefixes of the head, too.
 */
export type LiteralVersion = readonly VersionPage[];

export interface LiteralThresholds {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly theta: number;
}

export interface LiteralRule {
  readonly head: readonly string[];
  readonly tail: string;
}

const known = new WeakMap<LiteralVersion, Map<string, string>>();

/** Nodes of a version: every page and every directory above one, pages with their content. */
function nodesOf(version: LiteralVersion): Map<string, string> {
  const nodes = known.get(version) ?? new Map<string, string>();
  if (known.has(version)) return nodes;
  known.set(version, nodes);
  for (const { url, digest } of version) {
    const { directory, page } = sitePath(url);
    if (nodes.has(`page ${directory}${page}`)) continue;
    nodes.set(`page ${directory}${page}`, digest);
    const parts = directory.split('/').slice(1, -1);
    for (let k = 0; k <= parts.length; k++)
      nodes.set(
        `directory /${parts
          .slice(0, k)
          .map((part) => `${part}/`)
          .join('')}`,
        '',
      );
  }
  return nodes;
}

/** Def. 1. */
export function literalDegree(directory: string, before: LiteralVersion, after: LiteralVersion): number {
  const [old, now] = [nodesOf(before), nodesOf(after)];
  const all = new Set([...old.keys(), ...now.keys()]);
  const inside = [...all].filter((node) => node.slice(node.indexOf('/')).startsWith(directory));
  const changed = inside.filter((node) => old.get(node) !== now.get(node));
  return inside.length === 0 ? 0 : changed.length / inside.length;
}

export function directoriesOf(versions: readonly LiteralVersion[]): string[] {
  const nodes = new Set(versions.flatMap((version) => [...nodesOf(version).keys()]));
  return [...nodes].flatMap((node) =>
    node.startsWith('directory ') ? [node.slice('directory '.length)] : [],
  );
}

const isAbove = (a: string, b: string): boolean => a !== b && b.startsWith(a);

/** All chains s1 ≻ s2 ≻ … that begin with `start`. */
function chainsFrom(start: string, directories: readonly string[]): string[][] {
  const chains: string[][] = [[start]];
  for (let i = 0; i < chains.length; i++) {
    const chain = chains[i] as string[];
    for (const next of directories) if (isAbove(chain.at(-1) as string, next)) chains.push([...chain, next]);
  }
  return chains;
}

export function literalRules(
  versions: readonly LiteralVersion[],
  thresholds: LiteralThresholds,
): LiteralRule[] {
  const { alpha, beta, gamma, theta } = thresholds;
  const directories = directoriesOf(versions);
  const m = versions.length - 1;
  const series = new Map(
    directories.map((directory) => [
      directory,
      versions
        .slice(1)
        .map((after, i) => literalDegree(directory, versions[i] as LiteralVersion, after) >= alpha),
    ]),
  );
  const together = (chain: readonly string[]): number =>
    Array.from({ length: m }, (_, i) => i).filter((i) => chain.every((one) => series.get(one)?.[i])).length;
  const isPattern = (chain: readonly string[]): boolean => together(chain) / m >= beta;
  const isRule = (head: readonly string[], tail: string): boolean => {
    const [f1, fy, f11] = [together(head), together([tail]), together([...head, tail])];
    if (f1 / m < beta || f11 / m >= beta) return false;
    const margins = f1 * (m - f1) * fy * (m - fy);
    return margins > 0 && (m * f11 - f1 * fy) / Math.sqrt(margins) <= -gamma && (f1 - f11) / f1 >= theta;
  };
  return directories.flatMap((start) => {
    const chains = chainsFrom(start, directories);
    const patterns = chains.filter(isPattern);
    const rules = chains
      .filter(({ length }) => length > 1)
      .map((chain) => ({ head: chain.slice(0, -1), tail: chain.at(-1) as string }))
      .filter(({ head, tail }) => isRule(head, tail));
    return rules.filter(
      (rule) =>
        !rules.some((other) => subsumesByTail(other, rule)) &&
        !patterns.some((pattern) => subsumesByHead(pattern, rule)),
    );
  });
}

/** Def. 8. */
function subsumesByTail(other: LiteralRule, { head, tail }: LiteralRule): boolean {
  const chain = [...head, tail];
  const k = other.head.length;
  if (k > head.length || !other.head.every((one, i) => one === chain[i])) return false;
  return isAbove(other.tail, chain[k] as string);
}

/** Def. 9. */
function subsumesByHead(pattern: readonly string[], { head, tail }: LiteralRule): boolean {
  const chain = [...head, tail];
  for (let i = 1; i < Math.min(chain.length, pattern.length); i++) {
    if (chain[i - 1] !== pattern[i - 1]) return false;
    if (isAbove(pattern[i] as string, chain[i] as string)) return true;
  }
  return false;
}

/**
 * A history of a few directories of very different sizes, each of which mostly changes as a whole: a large one
 * outweighs what lies below it, and only so do rules come about. `rate`: how often at most.
 */
export function randomHistory(
  random: () => number,
  { versions = 4 + Math.floor(random() * 6), rate = 1 } = {},
): LiteralVersion[] {
  const pick = (n: number): number => Math.floor(random() * n);
  const directories = ['/'];
  for (let i = 0, n = 2 + pick(6); i < n; i++)
    directories.push(
      `${directories[Math.max(0, directories.length - 1 - pick(3))]}${'abcdef'[pick(6)]}${i}/`,
    );
  const contents = directories.map((directory) => ({
    urls: Array.from({ length: 1 + 3 * pick(3) }, (_, i) => `${directory}p${i}`),
    rate: rate * random(),
    version: 0,
    missing: -1,
  }));
  return Array.from({ length: versions }, () => {
    for (const content of contents) {
      if (random() < content.rate) content.version++;
      content.missing = random() < 0.1 * rate ? pick(content.urls.length) : -1;
    }
    return contents.flatMap(({ urls, version, missing }) =>
      urls.flatMap((url, i) => (i === missing ? [] : [{ url, digest: String(version) }])),
    );
  });
}
