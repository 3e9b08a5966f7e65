import type { Finding, FindingKind } from './finding.ts';

/** Most characters of a text that are quoted. */
const QUOTED = 90;
/** Words' worth from which a lead is a different story, not the same one reworded. */
const ANOTHER_STORY = 3;
/**
 * From this many new and gone stories they are counted; if they make up THROUGHOUT of the page's, the page changed
 * throughout.
 */
const MANY = 12;
const THROUGHOUT = 0.5;
/** A further finding is mentioned if its share is at least this fraction of the first's. */
const WORTH_TELLING = 0.25;
/** Below this share nobody would notice. */
const NOTICED = 1e-6;

const TEXT_KINDS: ReadonlySet<FindingKind> = new Set(['lead', 'story', 'headline', 'teaser', 'wording']);

/** Why a change is as salient as it is, in one sentence: what weighs most, and how much else there is. */
export function sentenceOf(
  findings: readonly Finding[],
  shares: readonly number[],
  stories: { readonly old: number; readonly new: number } = { old: 0, new: 0 },
): string {
  const ranked = findings.map((finding, i) => ({ finding, share: shares[i] ?? 0 }));
  ranked.sort((a, b) => b.share - a.share);
  const [first] = ranked;
  if (!first || first.share < NOTICED) return 'nothing that a reader would notice changed';
  const { finding, share } = first;
  if (!TEXT_KINDS.has(finding.kind)) return QUIETLY[finding.kind] ?? 'the page changed';
  const told = ranked.filter((one) => TEXT_KINDS.has(one.finding.kind)).map((one) => one.finding);
  const count = (isGone: boolean): number =>
    told.filter((one) => one.isGone === isGone && (one.kind === 'story' || one.kind === 'lead')).length;
  const [news, gone] = [count(false), count(true)];
  const isThroughout = news >= THROUGHOUT * stories.new || gone >= THROUGHOUT * stories.old;
  if (news + gone >= MANY && !isThroughout) return `${said(finding, told)}; in all ${headlines(news, gone)}`;
  if (news + gone >= MANY)
    return `the page changed throughout, ${headlines(news, gone)}: ${quote(textOf(finding))}`;
  const more = ranked.filter(
    (one) => one.finding.operation !== finding.operation && one.share >= share * WORTH_TELLING,
  ).length;
  return `${said(finding, told)}${more === 0 ? '' : `; and ${more} more`}`;
}

function headlines(news: number, gone: number): string {
  const some = (count: number): string => `${count} headline${count === 1 ? '' : 's'}`;
  if (news === 0) return `${some(gone)} gone and none new`;
  return gone === 0 ? `${some(news)} new` : `${some(news)} new and ${gone} gone`;
}

const QUIETLY: Readonly<Partial<Record<FindingKind, string>>> = {
  picture: 'a picture changed',
  order: 'only the order changed: nothing is told that was not told before',
  address: 'a link leads elsewhere',
  shape: 'only the shape of a block changed',
  advertisement: 'only advertisements changed',
  volatile: 'only times, counts or the like changed',
};

function said(finding: Finding, told: readonly Finding[]): string {
  const { kind, isGone, old, new: now } = finding;
  if (kind === 'lead') return leadSaid(finding, told);
  if (old !== undefined && now !== undefined) {
    const what = kind === 'headline' ? 'a headline' : 'a text';
    return `${what} changed: ${quote(old)} → ${quote(now)}`;
  }
  const what = kind === 'story' ? 'story' : 'text';
  return isGone
    ? `a ${what} is gone: ${quote(textOf(finding))}`
    : `a ${what} is new: ${quote(textOf(finding))}`;
}

function leadSaid(finding: Finding, told: readonly Finding[]): string {
  const { old, new: now, untold } = finding;
  const another = told.filter((one) => one.kind === 'lead' && one.untold >= ANOTHER_STORY);
  const news = another.find((one) => one.new !== undefined);
  const gone = another.find((one) => one.old !== undefined);
  if (news && gone) return `the lead story was replaced: ${quote(news.new ?? '')}`;
  if (untold < ANOTHER_STORY && old !== undefined && now !== undefined)
    return `the lead story was reworded: ${quote(old)} → ${quote(now)}`;
  return now === undefined
    ? `the lead story is gone: ${quote(old ?? '')}`
    : `the lead story has news: ${quote(now)}`;
}

const textOf = ({ old, new: now }: Finding): string => now ?? old ?? '';

const quote = (text: string): string => `“${text.length > QUOTED ? `${text.slice(0, QUOTED - 1)}…` : text}”`;
