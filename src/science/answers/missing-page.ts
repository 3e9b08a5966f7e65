import type { SeenAnswer } from './seen-answer.ts';

/**
 * A soft 404: the server answers 200 and says in words that there is no such page. Words alone prove nothing (a page about error
 * pages has them too), so they only raise a suspicion; the proof is that the host answers an address that cannot
 * exist with the same page.
 */
const MISSING_WORDS =
  /\b(?:404|(?:page|site|file|document|content|article) (?:(?:was|is|can(?:not|'t|’t) be|could not be|does) )?not (?:be )?(?:found|exist|available)|not found|no longer (?:exists|available)|(?:seite|dokument|artikel)(?: \w+){0,3} nicht (?:gefunden|mehr verfügbar)|nicht gefunden|page (?:introuvable|non trouvée|inexistante)|introuvable|página no (?:encontrada|existe)|no encontrada|pagina non trovata|pagina niet gevonden|не найдена|ページが見つかりません|页面不存在)/i;

/** In characters: on longer pages only the title is looked at. */
const LONGEST = 2500;

/** Whether the title, or a heading, says that there is nothing here. */
export function looksMissing({ status, title, html, text }: SeenAnswer): boolean {
  if (status < 200 || status > 203) return false;
  if (MISSING_WORDS.test(title)) return true;
  if (text.length > LONGEST) return false;
  for (const [, heading = ''] of html.matchAll(/<h[12]\b[^>]*>([\s\S]{0,300}?)<\/h[12]>/gi))
    if (MISSING_WORDS.test(heading.replace(/<[^>]*>/g, ' '))) return true;
  return false;
}

/** What the host answered for an address that cannot exist; only the beginning of its text, as with the page's. */
export interface MissingAnswer {
  readonly url: string;
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Share of common words from which two texts are the same error page: each may repeat the address, and the time. */
const ALIKE = 0.9;

/** Why the answer is the host's error page; undefined if it is not, or if that cannot be told. */
export function sameAsMissing(answer: SeenAnswer, missing: MissingAnswer): string | undefined {
  // A host that answers 404 for what does not exist means what it says elsewhere.
  if (missing.status < 200 || missing.status > 203) return undefined;
  const share = likeness(wordsOf(answer.text, answer.url), wordsOf(missing.text, missing.url));
  if (share < ALIKE) return undefined;
  return `${Math.round(share * 100)} % of its words are those of the host's answer for an address that cannot exist, ${missing.url}`;
}

/** Without the words of its own address, which error pages tend to repeat. */
function wordsOf(text: string, url: string): ReadonlyMap<string, number> {
  const own = new Set(
    decoded(url)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    if (!own.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words in common ÷ words of both, each as often as it occurs; 0 for two empty texts: nothing can be told. */
export function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const word of new Set([...a.keys(), ...b.keys()])) {
    const [m, n] = [a.get(word) ?? 0, b.get(word) ?? 0];
    common += Math.min(m, n);
    all += Math.max(m, n);
  }
  return all === 0 ? 0 : common / all;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
