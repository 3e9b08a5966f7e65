import type {
  DirectoryView,
  RulesPlan,
  RulesReport,
  RuleView,
} from '../access/directory-rules/rules-report.ts';
import { mirroredSoFar, siteCalibration } from '../access/directory-rules/site-calibration.ts';
import type { SkipRulesSpec } from '../model/inference.ts';
import type { Millis } from '../model/time.ts';
import type { Catalog } from '../ports/catalog.ts';
import { DeltaTree } from '../science/evolution/delta-tree.ts';
import type { SiteVersion } from '../science/evolution/directory-history.ts';
import { mineRules, type NegativeRule } from '../science/evolution/near-miner.ts';
import { sitePath } from '../science/evolution/site-path.ts';
import type { SitePast } from '../science/evolution/site-versions.ts';
import { RULE_THRESHOLDS } from '../science/evolution/skip-reasons.ts';
import { noSkipWords, ruleWords, severalHosts, skipWords } from '../science/evolution/skip-words.ts';
import type { VersionPage } from '../science/evolution/wd-diff.ts';
import { type PlanRequest, planSite } from '../stages/stored/plan-site.ts';
import { type HistoryPorts, historyOf, sitePast } from '../stages/stored/site-history.ts';
import { UserError } from './user-error.ts';

type RulesCatalog = HistoryPorts & Pick<Catalog, 'sites' | 'inferences'>;

export interface RulesWanted {
  readonly now: Millis;
  /** From the plan. */
  readonly rules: SkipRulesSpec;
  /** By people's decisions. */
  readonly isPinned: (url: string) => boolean;
}

/** For the named site, else for every site of the archive. */
export async function rulesReports(
  catalog: RulesCatalog,
  asked: string | undefined,
  wanted: RulesWanted,
): Promise<readonly RulesReport[]> {
  const known = (await catalog.sites()).map(({ site }) => site).sort();
  if (asked !== undefined && !known.includes(asked))
    throw new UserError(
      `no page of '${asked}' is in the archive; there are pages of: ${known.join(', ') || 'nothing yet'}`,
    );
  const reports: RulesReport[] = [];
  for (const site of asked === undefined ? known : [asked])
    reports.push(await rulesReport(catalog, site, wanted));
  return reports;
}

async function rulesReport(catalog: RulesCatalog, site: string, wanted: RulesWanted): Promise<RulesReport> {
  const past = await sitePast(site, catalog);
  const { versions } = past;
  const { length: hosts } = catalog.siteBounds().hostsOf(site);
  const deltas = new DeltaTree();
  const counts: RulesReport['versions'][number][] = [];
  let last: readonly VersionPage[] = [];
  for (const pages of wholeVersions(versions)) {
    deltas.add(pages);
    counts.push({ at: versions[counts.length]?.at ?? 0, pages: pages.length });
    last = pages;
  }
  const { deltas: seen } = historyOf({ versions });
  return {
    site,
    versions: counts,
    // From the versions that were looked at whole, as for the plan: what was taken for unchanged is no
    // evidence.
    rules: mineRules(seen, { ...RULE_THRESHOLDS, relaxed: true })
      .map((rule) => ruleView(rule, seen))
      .sort(
        (a, b) =>
          b.confidence - a.confidence ||
          a.head.length - b.head.length ||
          b.times - a.times ||
          (a.tail < b.tail ? -1 : 1),
      ),
    plan:
      hosts > 1
        ? { kind: 'none', why: severalHosts(hosts) }
        : planView(past, { ...wanted, seeds: await lastSeeds(catalog, site) }),
    calibration: await siteCalibration(site, catalog),
    mirrored: await mirroredSoFar(site, catalog),
    directories: directoryViews(deltas, versions, last),
  };
}

/** Each version, completed with the earlier pages of the directories that were not looked at. */
function* wholeVersions(versions: readonly SiteVersion[]): Generator<readonly VersionPage[]> {
  const held = new Map<string, Map<string, VersionPage>>();
  for (const { pages, unseen = [] } of versions) {
    const left = new Set(unseen);
    for (const directory of held.keys()) if (!left.has(directory)) held.delete(directory);
    for (const page of pages) {
      const { directory } = sitePath(page.url);
      const own = held.get(directory) ?? new Map<string, VersionPage>();
      own.set(page.url, page);
      held.set(directory, own);
    }
    yield [...held.values()].flatMap((own) => [...own.values()]);
  }
}

function ruleView(
  { head, tail, counts, confidence, correlation }: NegativeRule,
  { tree }: DeltaTree,
): RuleView {
  const paths = head.map((id) => tree.path(id));
  const held = counts.head - counts.both;
  const rule = { head: paths, tail: tree.path(tail), times: counts.head, held };
  return { ...rule, confidence, correlation: correlation ?? null, words: ruleWords(rule) };
}

/** From the last crawl of the site: the next one is expected to begin there too. */
async function lastSeeds(catalog: RulesCatalog, site: string): Promise<readonly string[]> {
  const bounds = catalog.siteBounds();
  const last = (await catalog.crawls()).findLast(({ spec }) =>
    spec.seeds.some((seed) => bounds.siteOf(seed) === site),
  );
  return last?.spec.seeds ?? [];
}

function planView(past: SitePast, wanted: PlanRequest): RulesPlan {
  const { plan } = planSite(past, wanted);
  const { missAtMost } = wanted.rules;
  if (plan.kind === 'none') return { kind: 'none', why: noSkipWords(plan.why, missAtMost) };
  const { promisedMiss, validation } = plan;
  const skips = plan.skips.map(({ reason, ...skip }) => ({
    ...skip,
    reason: reason.kind,
    rule: skipWords(reason),
  }));
  return { kind: 'plan', missAtMost, promisedMiss, skips, validation };
}

function directoryViews(
  deltas: DeltaTree,
  versions: readonly SiteVersion[],
  pages: readonly VersionPage[],
): DirectoryView[] {
  const { tree } = deltas;
  const own = new Int32Array(tree.size);
  for (const { url } of pages) {
    const id = tree.find(sitePath(url).directory);
    if (id !== undefined) own[id] = (own[id] as number) + 1;
  }
  const all = own.slice();
  for (let id = tree.size - 1; id > 0; id--) {
    const parent = tree.parent(id);
    all[parent] = (all[parent] as number) + (all[id] as number);
  }
  const unseen = versions.map(({ unseen: some = [] }) => new Set(some));
  const views: DirectoryView[] = [];
  const open: (readonly [id: number, depth: number])[] = [[0, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [id, depth] = next;
    const directory = tree.path(id);
    views.push({
      directory,
      depth,
      pages: own[id] as number,
      allPages: all[id] as number,
      degrees: Array.from({ length: deltas.transitions }, (_, t) =>
        unseen[t + 1]?.has(directory) ? null : deltas.degreeOfChange(id, t),
      ),
    });
    const below = tree.children(id).map((child) => [child, depth + 1] as const);
    open.push(...below.sort(([a], [b]) => (tree.path(a) < tree.path(b) ? 1 : -1)));
  }
  return views;
}
