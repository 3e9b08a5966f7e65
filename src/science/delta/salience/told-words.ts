import { wordsOf } from '../vi-diff/text-distance.ts';

/** What the words of a text are worth to a reader who is told about it, without a dictionary. */

/** A word in its compared form, and how much it says. */
export interface ToldWord {
  readonly key: string;
  readonly worth: number;
}

/** Figures and names carry the news; function words hold it together. */
const WORTH = { function: 0.05, plain: 0.7, name: 1.2, figure: 1.2 } as const;

/** The commonest function words of German, English, French and Spanish. */
const FUNCTION_WORDS = new Set(
  (
    'der die das den dem des ein eine einen einem einer eines und oder aber nicht auch nur noch schon so wie als wenn dass ' +
    'ob in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter um durch gegen ohne bis seit ist sind ' +
    'war waren wird werden wurde wurden hat haben hatte sein kann soll muss will es er sie wir ihr ich man sich was wer ' +
    'the a an and or but not of to in on at by for with from as is are was were be been has have had it its he she they we ' +
    'you i his her their our this that these those who what which how why when will would can could may more than after into ' +
    'le la les l un une des du de d et ou mais ne pas que qui quoi dans en sur sous par pour avec sans au aux ce cette ces ' +
    'il elle on ils elles nous vous je se sa son ses leur est sont était été être ont plus ' +
    'el los las uno y o pero no con sin del al para por que su sus se lo es son fue era ser han ha más como entre'
  ).split(' '),
);

const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}%€$£]+$/gu;

export function toldWords(text: string): ToldWord[] {
  const told: ToldWord[] = [];
  let begins = true;
  for (const word of wordsOf(text)) {
    const bare = word.replace(EDGES, '');
    if (bare !== '') told.push({ key: bare.toLowerCase(), worth: worthOf(bare, begins) });
    begins = /[.!?:–—|„“"»«]$/u.test(word) || (bare === '' && begins);
  }
  return told;
}

function worthOf(word: string, begins: boolean): number {
  if (/\p{N}/u.test(word)) return WORTH.figure;
  if (FUNCTION_WORDS.has(word.toLowerCase())) return WORTH.function;
  // At the beginning of a sentence every word is capitalised.
  return !begins && /^\p{Lu}/u.test(word) ? WORTH.name : WORTH.plain;
}
