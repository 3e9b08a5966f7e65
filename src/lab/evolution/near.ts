/** What `lab near` reports: the rules of a site's history, and how WARM would have handled the versions after it. */
import type { MiningThresholds, NegativeRule } from '../../science/evolution/near-miner.ts';
import { parameterAddresses } from '../../science/evolution/parameter-path.ts';
import { type SkipQuality, skipQuality } from '../../science/evolution/skip-quality.ts';
import type { HistoryVersions } from '../data/history-versions.ts';
import { experiment, Skipped } from '../experiment/experiment.ts';
import { factLines, type Table } from '../experiment/text-table.ts';
import { degreeStrips } from './degree-strips.ts';
import { SiteEvolution, together } from './site-evolution.ts';

export interface NearInput {
  readonly versions: HistoryVersions;
  readonly thresholds: MiningThresholds;
  /** Versions skipped at the beginning. */
  readonly from: number;
  /** Versions from which rules are mined; if absent, all of them, and nothing is tried. */
  readonly train?: number | undefined;
  /** Later versions on which the rules are tried. */
  readonly test: number;
  /** The directory that is archived. */
  readonly target: string;
  /** Where directories come from. */
  readonly tree: 'path' | 'parameters';
}

interface TestedVersion extends SkipQuality {
  /** Counted from 1. */
  readonly version: number;
  readonly changed: number;
}

interface Tried {
  /** All tested versions together. */
  readonly metrics: SkipQuality;
  readonly tests: readonly TestedVersion[];
  /** Directories skipped in all tested versions, and how many of them had not changed significantly. */
  readonly skips: number;
  readonly right: number;
}

interface NearReport {
  readonly input: NearInput;
  readonly site: SiteEvolution;
  readonly emptyVersions: number;
  readonly rules: readonly NegativeRule[];
  /** With heads assumed to have changed, as in the paper; and with rules trusted only if they had. */
  readonly tried: Tried | undefined;
  readonly checked: Tried | undefined;
}

function measure(input: NearInput): NearReport | Skipped {
  const { versions, thresholds, from, train, test, tree } = input;
  const needed = from + (train === undefined ? 0 : train + test);
  if (needed > versions.count || from >= versions.count)
    return new Skipped(
      `the history has ${versions.count} versions, and ${Math.max(needed, from + 1)} are asked for: choose fewer, or shorter spans (--every)`,
    );
  const site = new SiteEvolution();
  let emptyVersions = 0;
  const address = tree === 'path' ? undefined : parameterAddresses(addressesOf(versions));
  for (const pages of versions.pages()) {
    if (pages.length === 0) emptyVersions++;
    site.add(address ? pages.map((page) => ({ ...page, url: address(page.url) })) : pages);
  }
  const target = site.deltas.tree.find(input.target);
  if (target === undefined) return new Skipped(`no version has a directory ${input.target}`);
  const rules = site.mine({ from, train: train ?? versions.count - from }, thresholds);
  const first = from + (train ?? 0);
  const tested = Array.from({ length: train === undefined ? 0 : test }, (_, k) => first + k);
  const tryOut = (trust: (rule: NegativeRule, version: number) => boolean): Tried | undefined => {
    if (tested.length === 0) return undefined;
    const runs = tested.map((version) => {
      const skips = site.warm(
        rules.filter((rule) => trust(rule, version)),
        target,
      );
      const right = skips.filter(
        ({ directory }) => site.deltas.degreeOfChange(directory, version - 1) < thresholds.alpha,
      );
      return { version, skips: skips.length, right: right.length, outcome: site.outcome(version, skips) };
    });
    const sum = (of: 'skips' | 'right'): number => runs.reduce((all, run) => all + run[of], 0);
    return {
      metrics: skipQuality(together(runs.map(({ outcome }) => outcome))),
      tests: runs.map(({ version, outcome }) => ({
        version: version + 1,
        changed: outcome.changed,
        ...skipQuality(outcome),
      })),
      skips: sum('skips'),
      right: sum('right'),
    };
  };
  return {
    input,
    site,
    emptyVersions,
    rules,
    tried: tryOut(() => true),
    checked: tryOut((rule, version) => site.headsChanged(rule, version, thresholds.alpha)),
  };
}

function* addressesOf(versions: HistoryVersions): Iterable<string> {
  for (const pages of versions.pages()) for (const { url } of pages) yield url;
}

const shown = ({ site, rules }: NearReport) =>
  rules.map(({ head, tail, counts, correlation, confidence }) => ({
    if: head.map((id) => site.deltas.tree.path(id)),
    // biome-ignore lint/suspicious/noThenProperty: the name that docs/json.md gives; nobody awaits a rule
    then: site.deltas.tree.path(tail),
    confidence,
    coc: correlation ?? null,
    foc: counts.head / counts.transitions,
    changedTogether: counts.both,
    headChanged: counts.head,
    tailChanged: counts.tail,
  }));

/** More than a reader can take in; `--json` has all. */
const MOST_RULES = 40;

export const near = experiment<NearInput, NearReport>({
  name: 'near',
  title: 'Directories that do not change while those above them do',
  method:
    'NEAR-Miner on the versions of a site; WARM on the versions after them, each against the one before it.',
  measure,
  data: (report) => {
    const { input, site, emptyVersions, tried, checked } = report;
    const { versions, thresholds, from, train, test, target, tree } = input;
    return {
      versions: versions.count,
      rules: shown(report),
      metrics: tried?.metrics ?? null,
      tests: tried?.tests ?? null,
      skips: tried ? { directories: tried.skips, right: tried.right } : null,
      checkedHeads: checked
        ? {
            metrics: checked.metrics,
            skips: { directories: checked.skips, right: checked.right },
          }
        : null,
      directories: site.deltas.tree.size,
      pages: site.pages,
      spansWithoutEvents: versions.spansWithoutEvents,
      emptyVersions,
      pagesAndDirectories: site.pagesAndDirectories,
      repairs: versions.repairs,
      settings: {
        ...thresholds,
        from,
        train: train ?? null,
        test: train === undefined ? null : test,
        target,
        tree,
      },
    };
  },
  text: (report) => [factsText(report), ...metricsTable(report), rulesPart(report)],
  plots: ({ site: { deltas }, rules, input: { from, train, test } }) =>
    degreeStrips(deltas, rules, train === undefined ? { from } : { from, to: from + train + test - 1 }),
});

function factsText({ input: { versions, train, test }, site, emptyVersions, rules }: NearReport): string {
  const { repairs } = versions;
  const orNothing = (count: number): number | undefined => (count === 0 ? undefined : count);
  return factLines([
    ['versions', versions.count],
    ['without events', orNothing(versions.spansWithoutEvents)],
    ['without pages', orNothing(emptyVersions)],
    ['pages at the end', site.pages],
    ['directories', site.deltas.tree.size],
    ['page and directory', orNothing(site.pagesAndDirectories)],
    ['rows out of order', orNothing(repairs.outOfOrder)],
    ['other spellings', orNothing(repairs.otherSpellings)],
    ['appeared twice', orNothing(repairs.appearedTwice)],
    ['changed while absent', orNothing(repairs.changedWhileAbsent)],
    ['went while absent', orNothing(repairs.wentWhileAbsent)],
    ['training', train === undefined ? 'all versions' : `${train} versions, then ${test} to be tried`],
    ['rules', rules.length],
    ['note', versions.count < 2 ? 'one version has no change: no rules' : undefined],
  ]);
}

function metricsTable({ tried, checked }: NearReport): Table[] {
  if (!tried || !checked) return [];
  const row = (name: string, { metrics, skips, right }: Tried): Table['rows'][number] => [
    name,
    metrics.bypassRatio,
    metrics.overallPrecision,
    metrics.overallRecall,
    metrics.changeRecall,
    metrics.changeRecallEq9,
    `${right} of ${skips}`,
  ];
  return [
    {
      header: ['heads', 'BR', 'OP', 'OR', 'CR', 'CR, Eq. 9', 'skips that were right'],
      rows: [row('assumed to change', tried), row('checked', checked)],
    },
  ];
}

function rulesPart(report: NearReport): string | Table {
  const rules = shown(report);
  if (rules.length === 0) return 'no directory stays as it is while those above it change';
  const more =
    rules.length > MOST_RULES ? ` (the first ${MOST_RULES} of ${rules.length}; --json has all)` : '';
  return {
    title: `when these change significantly, that one does not${more}`,
    header: ['when', 'not', 'confidence', 'CoC', 'FoC'],
    rows: rules
      .slice(0, MOST_RULES)
      .map((rule) => [rule.if.join(' '), rule.then, rule.confidence, rule.coc ?? undefined, rule.foc]),
  };
}
