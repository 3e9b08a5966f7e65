import { append } from '../append.ts';
import type { Standing, Unpaired } from './element-outcome.ts';
import { SAME_TEXT } from './text-distance.ts';
import type { WordIds } from './word-ids.ts';

/**
 * DetectTextChanges (IWAW 2009 §5.2, "For Texts"): which text became which, the nearest pairs first, none beyond a
 * distance of 0.5; the rest was deleted or inserted. The paper has one text in a block. Here there are many, and not
 * every pair is measured: first those between the same neighbours, then those that share rare words.
 */

/** So near that no other text needs checking. */
const SURELY = 0.25;
/** A word in more texts than this does not tell texts apart. */
const CROWD = 8;
/** Candidates measured for each text, those that share most rare words first. */
const MEASURED = 3;

type Text = Standing<'text'>;

function wordsIn(text: Text, words: WordIds): Int32Array {
  text.words ??= words.idsOf(text.value.text);
  return text.words;
}

export function detectTextChanges({ olds, news, join }: Unpaired<'text'>, words: WordIds): void {
  const distance = (old: Text, now: Text): number => words.distance(wordsIn(old, words), wordsIn(now, words));
  const candidates: { old: Text; now: Text; distance: number }[] = [];
  const consider = (old: Text, now: Text, sure: number): void => {
    const apart = distance(old, now);
    if (apart <= sure) join(old, now);
    else if (apart <= SAME_TEXT) candidates.push({ old, now, distance: apart });
  };

  for (const [old, now] of neighbours(olds, news)) consider(old, now, SURELY);
  const restOld = olds.filter((text) => !text.paired);
  const restNew = news.filter((text) => !text.paired);
  if (restOld.length > 0 && restNew.length > 0) {
    for (const [old, now] of sharers(restOld, restNew, words)) consider(old, now, -1);
  }
  candidates.sort((a, b) => a.distance - b.distance);
  for (const { old, now } of candidates) if (!old.paired && !now.paired) join(old, now);
  // Texts made only of common words ("Price: 5", "Price: 6") share nothing rare: they pair in order.
  const late = news.filter((text) => !text.paired);
  olds
    .filter((text) => !text.paired)
    .forEach((old, i) => {
      const now = late[i];
      if (now && distance(old, now) <= SAME_TEXT) join(old, now);
    });
}

/** Pairs texts of at least so many words that share rare ones, the nearest first, none beyond the distance. */
export function similarTexts(
  olds: readonly Text[],
  news: readonly Text[],
  least: { readonly words: number; readonly distance: number },
  words: WordIds,
): { readonly old: Text; readonly now: Text }[] {
  const enough = (text: Text): boolean => wordsIn(text, words).length >= least.words;
  const candidates: { old: Text; now: Text; distance: number }[] = [];
  for (const [old, now] of sharers(olds.filter(enough), news.filter(enough), words)) {
    const distance = words.distance(wordsIn(old, words), wordsIn(now, words));
    if (distance <= least.distance) candidates.push({ old, now, distance });
  }
  candidates.sort((a, b) => a.distance - b.distance);
  const used = new Set<Text>();
  return candidates.filter(({ old, now }) => {
    if (used.has(old) || used.has(now)) return false;
    used.add(old).add(now);
    return true;
  });
}

/** Texts of one gap, the k-th with the k-th. Both lists are in document order, so gaps form runs. */
function* neighbours(olds: readonly Text[], news: readonly Text[]): Generator<[Text, Text]> {
  const byGap = new Map<number, Text[]>();
  for (const old of olds) append(byGap, old.gap, old);
  const used = new Map<number, number>();
  for (const now of news) {
    const k = used.get(now.gap) ?? 0;
    const old = byGap.get(now.gap)?.[k];
    used.set(now.gap, k + 1);
    if (old) yield [old, now];
  }
}

/** Pairs of texts that share rare words, those that share most first. */
function* sharers(
  olds: readonly Text[],
  news: readonly Text[],
  words: WordIds,
): Generator<readonly [Text, Text]> {
  const holders = new Map<number, number[]>();
  olds.forEach((old, o) => {
    for (const word of wordsIn(old, words)) {
      const list = holders.get(word);
      if (!list) holders.set(word, [o]);
      else if (list.length <= CROWD && list.at(-1) !== o) list.push(o);
    }
  });
  // For each old text, how many words it shares with the current new one.
  const counts = new Int32Array(olds.length);
  for (const now of news) {
    const shared: number[] = [];
    for (const word of wordsIn(now, words)) {
      const list = holders.get(word);
      if (!list || list.length > CROWD) continue;
      for (const o of list) {
        if (counts[o] === 0) shared.push(o);
        counts[o] = (counts[o] as number) + 1;
      }
    }
    const best = shared
      .sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b)
      .slice(0, MEASURED);
    for (const o of shared) counts[o] = 0;
    for (const o of best) yield [olds[o] as Text, now];
  }
}
