import type { InferenceReason } from '../../model/inference.ts';
import type { NoSkip, PlannedReason, PlannedSkip } from './skip-plan.ts';
import { RULE_THRESHOLDS } from './skip-reasons.ts';

const percent = (share: number): string => {
  const value = share * 100;
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}%`;
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * A rule is about changes that matter: one or two pages of many do not break it, and the words must not deny them. It speaks of
 * whole subtrees, a plan of the pages directly in a directory.
 */
const negated = (head: readonly string[], tail: string): string =>
  `when what is below ${listed(head)} changes, what is below ${tail} does not (less than ${percent(RULE_THRESHOLDS.alpha)} of it)`;

/** A rule with the evidence it is based on. */
export const ruleWords = ({
  head,
  tail,
  held,
  times,
}: {
  readonly head: readonly string[];
  readonly tail: string;
  readonly held: number;
  readonly times: number;
}): string => `${negated(head, tail)}: ${held} of ${times} times`;

/** Why a directory is left out, as a sentence without its end. */
export function skipWords(reason: PlannedReason): string {
  switch (reason.kind) {
    case 'near':
    case 'relaxed-near':
      return `${negated(reason.head, reason.tail)}: ${percent(reason.confidence)} of the times`;
    case 'quiet':
      return `nothing changed in the last ${reason.transitions} looks at it`;
    case 'predicted':
      return `a page of it has changed with a chance of ${percent(reason.changeProbability)}`;
    case 'sitemap':
      return `the sitemap says that its ${reason.pages} pages have not changed, and told ${percent(reason.trust)} of the changes before`;
  }
}

/** Directories are distinguished by their path: `/news/` on two hosts would be one. */
export const severalHosts = (hosts: number): string =>
  `it is a site of ${hosts} hosts, and directories of one path would be taken for one`;

/** Why a crawl visits everything. */
export function noSkipWords(why: NoSkip, missAtMost: number): string {
  switch (why.kind) {
    case 'too-few-versions':
      return `${why.versions === 1 ? 'one version is' : `${why.versions} versions are`} archived, and rules act from ${why.needed} on`;
    case 'history-does-not-support-it':
      return `on the site's own past, plans like this missed ${percent(why.validation.foundMiss)} of the changed pages, and at most ${percent(missAtMost)} may be`;
    case 'nothing-to-skip':
      return `no directory is steady enough to miss at most ${percent(missAtMost)} of the changed pages`;
  }
}

/** What a plan leaves out of a site, in a sentence. */
export function planWords(
  skips: readonly Pick<PlannedSkip, 'pages' | 'expectedMissed'>[],
  promisedMiss: number,
): string {
  const pages = skips.reduce((sum, skip) => sum + skip.pages, 0);
  const missed = skips.reduce((sum, skip) => sum + skip.expectedMissed, 0);
  const places = skips.length === 1 ? 'one directory' : `${skips.length} directories`;
  return (
    `${pages === 1 ? 'one page' : `${pages} pages`} in ${places} keep their archived version, taken for unchanged: ` +
    `about ${missed < 10 ? missed.toFixed(1) : Math.round(missed)} changes are expected to be missed there, ${percent(promisedMiss)} of all`
  );
}

export const INFERENCE_WORDS: Readonly<Record<InferenceReason, string>> = {
  near: 'a rule: it hardly changes while others do',
  'relaxed-near': 'a rule: it hardly changed while others did',
  quiet: 'nothing changed there for a while',
  predicted: 'few changes are expected there',
  sitemap: 'the sitemap says so',
  mirror: 'the site mirrors another, and a sample of it agreed',
};
