import type { InferenceReason } from '../../model/inference.ts';
import type { Calibration, CalibrationRow } from '../../science/evolution/skip-calibration.ts';
import { INFERENCE_WORDS } from '../../science/evolution/skip-words.ts';
import { isoOf, numberText, percentText } from '../sharpness-report/times.ts';
import type { RulesPlan, RulesReport } from './rules-report.ts';

/** Rules and skips that a person reads. */
const SHOWN = 12;

export function rulesText({ site, versions, rules, plan, calibration, mirrored }: RulesReport): string {
  const [first, last] = [versions[0], versions.at(-1)];
  const times =
    first && last ? `, ${minuteText(first.at)} to ${minuteText(last.at)}, ${last.pages} pages now` : '';
  const lines = [
    `${site}: ${versions.length === 1 ? 'one version' : `${versions.length} versions`}${times}`,
    '',
    'Rules: what does not change while others do',
    ...(rules.length === 0 ? ['  none'] : shortened(rules.map(({ words }) => words))),
    '',
    ...planLines(plan),
    '',
    ...calibrationLines(calibration),
    ...(mirrored > 0
      ? [`Not among them: ${mirrored} pages left out since the site mirrors another (docs/mirrors.md)`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** `2026-11-02 09:00 UTC` */
const minuteText = (at: number): string => `${isoOf(at).slice(0, 16).replace('T', ' ')} UTC`;

const shortened = (lines: readonly string[]): string[] => [
  ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
  ...(lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more; --json lists all`] : []),
];

function planLines(plan: RulesPlan): string[] {
  if (plan.kind === 'none')
    return ['The next crawl with --skip-by-rules would visit everything', `  ${plan.why}`];
  const { skips, validation, promisedMiss, missAtMost } = plan;
  const pages = skips.reduce((sum, skip) => sum + skip.pages, 0);
  return [
    `The next crawl with --skip-by-rules would leave ${pages} pages in ${skips.length === 1 ? 'one directory' : `${skips.length} directories`} as they are archived`,
    ...shortened(
      skips.map(
        ({ directory, pages: own, rule, expectedMissed, confidence, lastSeen }) =>
          `${own} directly in ${directory}: ${rule}; about ${numberText(expectedMissed)} changes missed, ${percentText(confidence)} sure of none; last seen ${minuteText(lastSeen)}`,
      ),
    ),
    `  Of the changed pages ${percentText(promisedMiss)} expected to be missed, at most ${percentText(missAtMost)} allowed.`,
    ...(validation.versions > 0
      ? [
          `  Tried on the last ${validation.versions} versions: ${percentText(validation.bypassRatio)} of the pages left out, ${percentText(validation.promisedMiss)} of the changed ones expected to be missed, ${percentText(validation.foundMiss)} were.`,
        ]
      : []),
  ];
}

/** What was promised beside what came of it: for `rules` and `report` alike. */
export function calibrationLines({ reasons, unchecked, ...whole }: Calibration): string[] {
  if (whole.skips + unchecked === 0) return ['Skips so far: none'];
  const waiting = unchecked > 0 ? `; ${unchecked} not looked at again yet` : '';
  if (whole.skips === 0) return [`Skips so far: ${unchecked}, none of them looked at again yet`];
  return [
    `Skips so far that were looked at again: ${whole.skips}${waiting}`,
    `  ${rowWords(whole)}`,
    ...Object.entries(reasons).map(
      ([reason, row]) => `  ${reason} (${INFERENCE_WORDS[reason as InferenceReason]}): ${rowWords(row)}`,
    ),
  ];
}

const rowWords = ({ skips, pages, promised, found, promisedWrong, wrong }: CalibrationRow): string =>
  `promised ${numberText(promised)} of ${pages} pages changed, new or gone, found ${found}; ` +
  `promised ${numberText(promisedWrong)} of ${skips} directories with a change, found ${wrong}`;
