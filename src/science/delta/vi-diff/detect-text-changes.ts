import { append } from '../append.ts';
import type { Standing, Unpaired } from './element-outcome.ts';
import { SAME_TEXT, wordDistance, wordsOf } from './text-distance.ts';

/**
 * DetectTextChanges (IWAW 2009 §5.2, "For Texts"): which text became which, the nearest pairs first, none past a
 * distance of 0.5; the rest was deleted or inserted. The paper has one text in a block. Here there are many, and not
 * every pair is measured: first those between the same neighbours, then those that share rare words.
 */

/** So near that no other text needs to be looked at. */
const SURELY = 0.25;
/** A word in more texts than this tells none apart. */
const CROWD = 8;
/** Texts that are measured for each text, those that share most rare words first. */
const MEASURED = 3;

type Text = Standing<'text'>;

export function detectTextChanges({ olds, news, join }: Unpaired<'text'>): void {
  const words = new Map<Text, string[]>();
  const wordsIn = (text: Text): string[] => {
    let list = words.get(text);
    if (!list) {
      list = wordsOf(text.value.text);
      words.set(text, list);
    }
    return list;
  };
  const distance = (old: Text, now: Text): number => wordDistance(wordsIn(old), wordsIn(now));
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
    for (const [old, now] of sharers(restOld, restNew, wordsIn)) consider(old, now, -1);
  }
  candidates.sort((a, b) => a.distance - b.distance);
  for (const { old, now } of candidates) if (!old.paired && !now.paired) join(old, now);
  // Texts of common words only ("Price: 5", "Price: 6") share nothing rare: they pair in order.
  const late = news.filter((text) => !text.paired);
  olds
    .filter((text) => !text.paired)
    .forEach((old, i) => {
      const now = late[i];
      if (now && distance(old, now) <= SAME_TEXT) join(old, now);
    });
}

/** Texts of one gap, the k-th with the k-th. Both lists are in document order, so gaps come in runs. */
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

/** Texts that share rare words, those that share most first. */
function* sharers(
  olds: readonly Text[],
  news: readonly Text[],
  wordsIn: (text: Text) => readonly string[],
): Generator<[Text, Text]> {
  const holders = new Map<string, number[]>();
  olds.forEach((old, o) => {
    for (const word of wordsIn(old)) {
      const list = holders.get(word);
      if (!list) holders.set(word, [o]);
      else if (list.length <= CROWD && list.at(-1) !== o) list.push(o);
    }
  });
  for (const now of news) {
    const shared = new Map<number, number>();
    for (const word of wordsIn(now)) {
      const list = holders.get(word);
      if (!list || list.length > CROWD) continue;
      for (const o of list) shared.set(o, (shared.get(o) ?? 0) + 1);
    }
    const best = [...shared].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MEASURED);
    for (const [o] of best) yield [olds[o] as Text, now];
  }
}
