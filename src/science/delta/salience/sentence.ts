import type { Finding, FindingKind } from './finding.ts';
import { type Fronts, isHeadlineText, storiesOf, type ToldStories, type ToldStory } from './stories.ts';

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
/** A headline names a change that is mostly another text if its share is at least this fraction of that text's. */
const COMPARABLE = 0.5;
/** And one that is mostly something gone, which says less: where more went than came, what came is counted less besides. */
const OUTWEIGHS_GONE = 0.1;
/** Below this share nobody would notice. */
const NOTICED = 1e-6;

const TEXT_KINDS: ReadonlySet<FindingKind> = new Set(['lead', 'story', 'headline', 'teaser', 'wording']);

interface Ranked {
  readonly finding: Finding;
  readonly share: number;
}

/**
 * Why a change is as salient as it is, in one sentence: what a reader would name it by, and how much else there is. New headlines are
 * named before those that went, which a page that takes in one story for another always has; and headlines before what stands below
 * them, which has more words.
 */
export function sentenceOf(findings: readonly Finding[], shares: readonly number[], fronts: Fronts): string {
  const all = findings.map((finding, i): Ranked => ({ finding, share: shares[i] ?? 0 }));
  all.sort((a, b) => b.share - a.share);
  if (!all[0] || all[0].share < NOTICED) return 'nothing that a reader would notice changed';
  if (!TEXT_KINDS.has(all[0].finding.kind)) return QUIETLY[all[0].finding.kind] ?? 'the page changed';
  const stories = storiesOf(all.filter(isTold), fronts);
  const ranked = all.filter(({ finding }) => !stories.untrue.has(finding));
  const named = mainOf(ranked.filter(isTold), stories);
  if (!named) return QUIETLY.order ?? '';
  const { said, of } = named;
  const [news, gone, reworded] = [stories.news.length, stories.gone.length, stories.reworded.length];
  const isThroughout = news >= THROUGHOUT * fronts.new.stories || gone >= THROUGHOUT * fronts.old.stories;
  if (news + gone >= MANY && !isThroughout) return `${said}; in all ${headlines(news, gone, reworded)}`;
  if (news + gone >= MANY)
    return `the page changed throughout, ${headlines(news, gone, reworded)}: ${quote(stories.news[0]?.headline ?? stories.gone[0]?.headline ?? '')}`;
  const most = ranked[0]?.share ?? 0;
  const more = ranked.filter(
    (one) =>
      !of.some(({ operation }) => one.finding.operation === operation) && one.share >= most * WORTH_TELLING,
  ).length;
  return `${said}${more === 0 ? '' : `; and ${more} more`}`;
}

const isTold = ({ finding, share }: Ranked): boolean => TEXT_KINDS.has(finding.kind) && share >= NOTICED;

/** What the change is named by; undefined where everything that came or went stands on both pages. */
function mainOf(texts: readonly Ranked[], stories: ToldStories): Named | undefined {
  const [first] = texts;
  const came = [...leadOf(stories), bestOf(stories.news), bestOf(stories.reworded)];
  const best = came.find((one) => one && (!first || isComparable(one, first)));
  if (best) return { said: storySaid(best), of: best.findings };
  if (!first) return undefined;
  const told = texts.map(({ finding }) => finding);
  const saidSo = ({ finding }: Ranked): Named => ({ said: saidOf(finding, told), of: [finding] });
  if (!first.finding.isGone) return saidSo(first);
  const gone = [bestOf(stories.gone)].find((one) => one && isComparable(one, first));
  const news = texts.find(({ finding }) => !finding.isGone);
  if (news && news.share >= COMPARABLE * (gone ?? first).share) return saidSo(news);
  if (!gone || first.finding.kind === 'lead') return saidSo(first);
  const what = gone.isLead ? 'the lead story' : 'a story';
  return { said: `${what} is gone: ${quote(gone.headline)}`, of: gone.findings };
}

interface Named {
  readonly said: string;
  /** What it says of what was found. */
  readonly of: readonly Finding[];
}

/** What leads the page now, if it is new or reads otherwise. */
const leadOf = ({ news, reworded }: ToldStories): readonly ToldStory[] =>
  [...news, ...reworded].filter(({ isLead }) => isLead);

/** The most prominent of those that weigh something. */
function bestOf(stories: readonly ToldStory[]): ToldStory | undefined {
  const most = stories.reduce((greatest, { share }) => Math.max(greatest, share), 0);
  return stories.find(({ share }) => share >= most * WORTH_TELLING);
}

function isComparable(story: ToldStory, { finding, share }: Ranked): boolean {
  if (finding.isGone && !story.finding.isGone) return story.share >= share * OUTWEIGHS_GONE;
  const isNear = finding.isGone || story.isLead || finding.block === story.finding.block;
  return story.share >= share * (isNear ? WORTH_TELLING : COMPARABLE);
}

function storySaid({ headline, before, isLead }: ToldStory): string {
  if (before !== undefined)
    return `${isLead ? 'the lead story' : 'a headline'} was reworded: ${quote(before)} → ${quote(headline)}`;
  return `${isLead ? 'the lead story was replaced' : 'a story is new'}: ${quote(headline)}`;
}

function headlines(news: number, gone: number, reworded: number): string {
  const others = reworded === 0 ? '' : `, ${reworded} reworded`;
  return `${cameAndWent(news, gone)}${others}`;
}

function cameAndWent(news: number, gone: number): string {
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

function saidOf(finding: Finding, told: readonly Finding[]): string {
  const { kind, isGone, old, new: now } = finding;
  if (kind === 'lead') return leadSaid(finding, told);
  if (old !== undefined && now !== undefined) {
    const what = isHeadlineText(finding, now) ? 'a headline' : 'a text';
    return `${what} was reworded: ${quote(old)} → ${quote(now)}`;
  }
  const what = isHeadlineText(finding, textOf(finding)) ? 'story' : 'text';
  return `a ${what} is ${isGone ? 'gone' : 'new'}: ${quote(textOf(finding))}`;
}

function leadSaid(finding: Finding, told: readonly Finding[]): string {
  const { old, new: now, untold } = finding;
  const another = told.filter((one) => one.kind === 'lead' && one.untold >= ANOTHER_STORY);
  const came = another.filter((one) => one.new !== undefined);
  const news = came.find((one) => isHeadlineText(one, one.new ?? '')) ?? came[0];
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
