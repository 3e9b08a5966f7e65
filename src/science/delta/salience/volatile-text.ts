/**
 * Volatile text: text that changes by itself and tells nobody anything. Clocks, dates, "5 minutes ago", counts of
 * comments and views, temperatures, prices in tickers, recognised by their form in German, English, French and Spanish.
 * Prices of things, scores, version numbers and figures in a sentence are not volatile: they are often what a change is
 * about.
 */

const MONTHS =
  'jan(?:uary?|uar|vier)?|j[äa]nner|enero|feb(?:ruary?|ruar)?|f[ée]v(?:rier)?|febrero|m[äa]rz|mar(?:ch|s|zo)?|apr(?:il)?|avr(?:il)?|abr(?:il)?|ma[iy]o?|jun[ie]?o?|juin|jul[iy]?o?|juil(?:let)?|aug(?:ust)?|ao[uû]t|ago(?:sto)?|sep(?:t(?:ember|embre|iembre)?)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre)?|d[ée]c(?:embre)?|dic(?:iembre)?';
const DAYS =
  'mo(?:n(?:day|tag)?)?|tue?(?:s(?:day)?)?|di(?:enstag)?|wed(?:nesday)?|mi(?:ttwoch)?|thu(?:rs(?:day)?)?|do(?:nnerstag)?|fr(?:i(?:day)?|eitag)?|sat(?:urday)?|sa(?:mstag)?|sun(?:day)?|so(?:nntag)?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo';
const SPANS =
  's(?:ec(?:ond(?:e?s)?|s)?|ek(?:unden?)?|egundos?)?|m(?:in(?:ut(?:e[ns]?|os?))?s?)?|h(?:ours?|rs?|eures?|oras?)?|std|stunden?|days?|tage?n?|jours?|d[íi]as?|weeks?|wochen?|semaines?|semanas?|months?|monate?n?|mois|mes(?:es)?';
const COUNTED =
  'kommentare?|comments?|commentaires?|comentarios?|replies|antworten|views?|aufrufe|abrufe|vues|vistas|visitas|likes?|shares?|geteilt|bewertungen|ratings?|reviews?|avis|votes?|stimmen|votos|leser(?:innen)?|readers?|lecteurs|lectores|online|users?|nutzer|visitors?|besucher|follower?s?|abonnenten|abonn[ée]s|downloads?|stars?|forks?|points?|results?|treffer|beitr[äa]ge|posts?|bilder|photos?|fotos?|videos?';
// Counts are bounded everywhere: a page of a million digits must not take quadratic time.
const NUMBER = String.raw`\d[\d.,’'\u00a0\u202f]{0,20}`;

const by = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'giu');

/** In this order: a date is removed before its remains look like a number. */
const FORMS: readonly RegExp[] = [
  // 2022-01-28T21:35:10Z
  by(String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?`),
  // vor 5 Minuten, il y a 2 heures, hace 3 días; 5 min ago, 2 h; just now
  by(
    String.raw`(?:vor|seit|il y a|depuis|hace)\s{1,3}(?:etwa\s{1,3}|environ\s{1,3})?(?:\d{1,9}|einer|einem|wenigen|une?|unos|pocos?)\s{0,3}(?:${SPANS})\.?`,
  ),
  by(String.raw`\d{1,9}\s{0,3}(?:${SPANS})\.?\s{1,3}(?:ago|zuvor)`),
  by("just now|gerade eben|soeben|à l['’]instant|ahora mismo"),
  // Friday, 28 January 2022; January 28, 2022; 28. Januar; 28 de enero de 2022
  by(
    String.raw`(?:(?:${DAYS})[.,]{0,2}\s{1,3})?(?:\d{1,2}(?:\.|er|st|nd|rd|th)?\s{1,3}(?:de\s{1,3})?(?:${MONTHS})\.?|(?:${MONTHS})\.?\s{1,3}\d{1,2}(?:st|nd|rd|th)?)(?:,?\s{1,3}(?:de\s{1,3})?\d{4})?`,
  ),
  // Fr 28.01.2022, 28/01/22, 28.1.
  by(String.raw`(?:(?:${DAYS})[.,]{0,2}\s{1,3})?\d{1,2}(?:\.\d{1,2}\.(?:\d{2,4})?|[/-]\d{1,2}[/-]\d{2,4})`),
  // 21:35, 21.35 Uhr, 21h35, 9 pm, 21 Uhr
  by(String.raw`\d{1,2}:\d{2}(?::\d{2})?\s{0,3}(?:uhr|h|[ap]\.?m\.?)?`),
  by(String.raw`\d{1,2}(?:\.\d{2})?\s{0,3}(?:uhr|[ap]\.?m\.?)|\d{1,2}h\d{2}`),
  // 1.234 Kommentare, 12k views, Comments (12), 5 Min
  by(String.raw`${NUMBER}\s{0,3}(?:k|m|tsd\.?|mio\.?)?\s{0,3}(?:${COUNTED})`),
  by(String.raw`(?:${COUNTED})\s{0,3}[:(]?\s{0,3}${NUMBER}\)?`),
  // −3 °C
  /(?<!\d)[-−+]?\d{1,9}(?:[.,]\d{1,9})?\s{0,3}°\s{0,3}[CF]?/giu,
  // −0,3 %: a movement has a sign, a share has none.
  /(?<![\p{L}\p{N}])[-−–+±]\s?\d{1,9}(?:[.,]\d{1,9})?\s{0,3}%/giu,
];

/** Most words beside a number that still belongs to a table or a ticker, not to a sentence. */
const TICKER_WORDS = 2;
/** Most words of a text that a block shows in rotation: longer ones say something. */
const TURNING_WORDS = 4;
/** Share of visits from which a block of short texts counts as changing by itself. */
const RESTLESS = 0.75;

const PLAIN_NUMBER = /^[-−–+±]?\d{1,3}(?:[.,’'\u00a0\u202f]\d{3})*(?:,\d+)?$|^\d+$|^\d+[.,]\d{2,}$/u;
const MONEY = /[€$£¥]|\b(?:EUR|USD|CHF|GBP)\b/u;

/** A text without its volatile parts. */
export function withoutVolatile(text: string): string {
  if (!/\p{N}/u.test(text) && !/now|eben|instant|ahora|vor |il y a|hace /iu.test(text)) return text;
  let left = text;
  for (const form of FORMS) left = left.replace(form, ' ');
  left = left.replace(/\s+/gu, ' ').trim();
  const words = left.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));
  const figures = words.filter((word) => PLAIN_NUMBER.test(bare(word)));
  if (figures.length === 0 || MONEY.test(left)) return left;
  // "DAX 15.318": the name stays, the number goes.
  if (words.length - figures.length > TICKER_WORDS) return left;
  return words.filter((word) => !PLAIN_NUMBER.test(bare(word))).join(' ');
}

/** Longest word, in characters, that can be a number. */
const LONGEST_NUMBER = 40;

const bare = (word: string): string =>
  word.length > LONGEST_NUMBER ? word : word.replace(/^[([]+|[)\],;:%.]+$/gu, '');

/** Whether a block's past shows that a text with this many words changes by itself. */
export const turnsByItself = (words: number, changeShare: number | undefined): boolean =>
  changeShare !== undefined && changeShare >= RESTLESS && words <= TURNING_WORDS;
