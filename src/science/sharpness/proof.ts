/**
 * Proof of presence or absence (SHARC 2009, §1.1): what sharp intervals alone say of a phrase on a page.
 *
 * A sharp interval is a visit and a revisit of one capture that found the same version: between them the page was as
 * archived. A claim, "the phrase stands there" or "it does not", is about every moment of a time [from, to]. It is contradicted by
 * one sharp interval that overlaps this time and shows otherwise. It is proven where sharp intervals cover the whole time and
 * none shows otherwise. Everything else is unknown: a gap never counts as absence.
 *
 * Pure: anyone who has the records can compute the same statement again.
 */
import type { CertificateStatement, CertifiedPage } from '../../model/certificate.ts';
import type {
  ProofAnswer,
  ProofClaim,
  ProofInterval,
  ProofPage,
  ProofQuery,
  ProofStatement,
} from '../../model/proof.ts';
import { isStrictlySharp } from './certificate.ts';

/** Stated in every proof, so that its reader need not know the software. */
export const PHRASE_RULE =
  'text of the HTML as it was sent, without tags, attributes, scripts, styles and title; Unicode NFC, case ignored, every run of ' +
  'white space one space; the phrase likewise, anywhere in it';

/** Text and phrase in the form in which they are compared. */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim();

export const showsPhrase = (text: string, phrase: string): boolean => folded(text).includes(folded(phrase));

/** A visit and a revisit that found the same version, as given in a certificate. */
export interface SharpVisits {
  readonly url: string;
  readonly visit: CertifiedPage['visit'];
  readonly revisit: CertifiedPage['visit'];
}

/** A page that certificates name, with its sharp intervals in the time asked about. */
export interface NamedPage {
  readonly url: string;
  readonly sharp: readonly SharpVisits[];
  /** Never visited by the captures of that time, but taken for unchanged. */
  readonly isInferred: boolean;
}

/** The pages of a site that these certificates name. */
export function namedPages(
  statements: readonly CertificateStatement[],
  { from, to, page }: Pick<ProofQuery, 'from' | 'to' | 'page'>,
  isOfSite: (url: string) => boolean,
): readonly NamedPage[] {
  const pages = new Map<string, { sharp: SharpVisits[]; isInferred: boolean }>();
  const named = (url: string) => {
    if ((page !== undefined && url !== page) || !isOfSite(url)) return undefined;
    const known = pages.get(url) ?? { sharp: [], isInferred: false };
    pages.set(url, known);
    return known;
  };
  for (const { pages: certified, inferred = [] } of statements) {
    for (const one of certified) {
      const known = named(one.url);
      const { visit, revisit } = one;
      if (!known || !revisit || !isStrictlySharp(one)) continue;
      const { outcome: _, ...again } = revisit;
      if (visit.time <= to && again.time >= from) known.sharp.push({ url: one.url, visit, revisit: again });
    }
    for (const { pages: kept, unseen = [] } of inferred)
      for (const url of [...kept.map((one) => one.url), ...unseen]) {
        const known = named(url);
        if (known) known.isInferred = true;
      }
  }
  return [...pages]
    .map(([url, { sharp, isInferred }]) => ({ url, isInferred, sharp: sharp.sort(byTime) }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

const byTime = (a: SharpVisits, b: SharpVisits): number =>
  compare(a.visit.time, b.visit.time) || compare(a.visit.record, b.visit.record);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What a page answers, from its intervals. ISO times in the same format compare as text. */
export function answerOf(
  { claim, from, to }: Pick<ProofQuery, 'claim' | 'from' | 'to'>,
  intervals: readonly ProofInterval[],
  isInferred: boolean,
): Pick<ProofPage, 'answer' | 'why'> {
  const telling = intervals.filter(isTelling);
  const against = telling.find(({ shows }) => shows === (claim === 'absent'));
  if (against) {
    const words = claim === 'absent' ? 'the phrase stood there' : 'the phrase did not stand there';
    return { answer: 'contradicted', why: `${words} from ${against.visit.time} to ${against.revisit.time}` };
  }
  const gap = firstGap(telling, from, to);
  if (gap === undefined) return { answer: 'proven', why: WORDS[claim] };
  return { answer: 'unknown', why: unknownWords(intervals, gap, isInferred) };
}

const WORDS: Readonly<Record<ProofClaim, string>> = {
  present: 'the phrase stood there in every version, and sharp intervals cover the time',
  absent: 'the phrase stood there in no version, and sharp intervals cover the time',
};

/** Text was read, and what the browser showed agrees. */
const isTelling = ({ shows, rendered }: ProofInterval): boolean =>
  shows !== null && (rendered === undefined || rendered.shows === shows);

function unknownWords(intervals: readonly ProofInterval[], gap: string, isInferred: boolean): string {
  if (intervals.length === 0)
    return isInferred
      ? 'it was not visited, and taken for unchanged'
      : 'no visit and revisit found it the same at that time';
  if (intervals.some(({ shows }) => shows === null))
    return 'no text is read of it: it is no HTML, or was not read whole';
  if (intervals.some((one) => !isTelling(one)))
    return 'the bytes and what the browser showed do not say the same';
  return `sharp intervals leave a gap from ${gap}`;
}

/** Where the covered time first ends; undefined where there is no gap. Intervals by start; closed ones that touch leave no gap. */
function firstGap(intervals: readonly ProofInterval[], from: string, to: string): string | undefined {
  let reached: string | undefined;
  for (const { visit, revisit } of intervals) {
    if (visit.time > (reached ?? from)) break;
    if (reached === undefined || revisit.time > reached) reached = revisit.time;
  }
  if (reached === undefined) return from;
  return reached >= to ? undefined : reached;
}

export interface ProofContext {
  readonly software: string;
  readonly clock: string;
  readonly madeAt: string;
}

export function proofStatement(
  query: ProofQuery,
  pages: readonly { readonly page: NamedPage; readonly intervals: readonly ProofInterval[] }[],
  { software, clock, madeAt }: ProofContext,
): ProofStatement {
  const answers: Record<ProofAnswer, number> = { proven: 0, contradicted: 0, unknown: 0 };
  const answered = pages.map(({ page: { url, isInferred }, intervals }): ProofPage => {
    const answer = answerOf(query, intervals, isInferred);
    answers[answer.answer]++;
    return { url, ...answer, intervals };
  });
  return {
    type: 'daguerre-proof',
    version: 1,
    software,
    clock,
    madeAt,
    query,
    rule: PHRASE_RULE,
    answers,
    pages: answered,
  };
}
