/**
 * Answers that are not the page: walls against robots, captchas, logins and requests for consent that stand before it, and
 * error pages that pass for pages. A false verdict on an ordinary page costs that page; a miss costs one version that is none.
 * So each verdict needs two unrelated signs, one of which is that there is next to nothing to
 * read, or a header field that only the wall sends; mere similarity is let pass. Which pages of real sites were tried:
 * decisions/0068.
 */
import { byDoors } from './door-marks.ts';
import { type AnswerVerdict, LONGEST_WALL, type SeenAnswer, spoken } from './seen-answer.ts';
import { byHeaders, byMarks } from './wall-marks.ts';

const TOO_MANY =
  /\b(?:too many requests|rate limit(?:ed)? exceeded|you have been rate limited|request limit exceeded|zu viele anfragen|trop de requêtes)\b/i;
/** Largest number of characters of an answer that says just that. */
const LONGEST_REFUSAL = 400;

/** Undefined for what may well be the page, and for soft 404s, which need a second answer: see missing-page.ts. */
export function recogniseAnswer(answer: SeenAnswer): AnswerVerdict | undefined {
  const text = spoken(answer.text.slice(0, 2 * LONGEST_WALL));
  const byField = byHeaders(answer);
  // Most answers are pages, and end here.
  if (byField || text.length > LONGEST_WALL) return byField;
  const seen = { ...answer, text };
  const shown = `${answer.title} ${text}`;
  return byMarks(seen, shown) ?? byDoors(seen, shown) ?? byHaste(seen, shown);
}

/** A rate limit expressed in words, under a status other than 429. */
function byHaste({ title, text, links, status }: SeenAnswer, shown: string): AnswerVerdict | undefined {
  const words = text.length > LONGEST_REFUSAL || links > 2 ? null : TOO_MANY.exec(shown);
  if (!words) return undefined;
  if (status < 400 && !TOO_MANY.test(title) && !text.toLowerCase().startsWith(words[0].toLowerCase()))
    return undefined;
  return { kind: 'server-busy', evidence: `the server answered ${status} and “${words[0]}”` };
}
