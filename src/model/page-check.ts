import type { ChangedElement } from './change.ts';
import type { OperationName } from './delta.ts';
import type { Millis } from './time.ts';

/**
 * How well the archive shows a page that was captured: content of the `urn:check:` record. What replay shows, offline and from
 * the records alone, is compared with the snapshot of the live page.
 */
export interface PageCheck {
  /** Of the page. */
  readonly url: string;
  /** Time of the capture. */
  readonly at: Millis;
  /** When it was checked: the newest check of a capture holds. */
  readonly madeAt: Millis;
  readonly verdict: Verdict;
  /** In [0, 1]; 1: replay shows what was seen live. Absent where nothing could be compared. */
  readonly score?: number;
  /** Share of the text present on both sides that looks different: another size, colour, width or column. */
  readonly shift?: number;
  /** What the live page received and the archive does not deliver; only the first, those that matter most. */
  readonly missing: readonly MissingResource[];
  readonly missingCount: number;
  /** What readers saw live and replay does not show; only the first, most salient first. */
  readonly lost: readonly LostPart[];
  readonly lostCount: number;
  /** URLs that replay requested and the live page never received: random addresses, losses of the capture itself. */
  readonly neverHad: number;
  /** With `--mend`: what was requested again. */
  readonly mended?: readonly MendedResource[];
  readonly facts: readonly string[];
}

/** `unseen`: the page has no layout that was seen live, or its document cannot be read. */
export const VERDICTS = ['whole', 'damaged', 'unseen'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface MissingResource {
  readonly url: string;
  /** What the page wanted it for, as the browser said: image, stylesheet, script … */
  readonly type: string;
  /** How much of the page a reader misses without it, in [0, 1], as far as the layout tells. */
  readonly matters: number;
  /** Then it does not count. */
  readonly advertisement?: true;
}

export interface LostPart {
  readonly op: OperationName;
  readonly element: ChangedElement;
  readonly salience: number;
  /** Its text. */
  readonly text: string;
  readonly address?: string;
}

export interface MendedResource {
  readonly url: string;
  /** `same`: the bytes of the live page; `other`: they have changed since; `had`: unknown which of the two; `failed`: not obtained. */
  readonly outcome: 'same' | 'other' | 'had' | 'failed';
  readonly why?: string;
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Undefined for anything else: records of other archives may hold anything. */
export function readPageCheck(value: unknown): PageCheck | undefined {
  const given = (value ?? {}) as Partial<Record<keyof PageCheck, unknown>>;
  const { url, at, madeAt, verdict, score, shift, missing, missingCount, lost, lostCount } = given;
  if (typeof url !== 'string' || !isNumber(at) || !isNumber(madeAt)) return undefined;
  if (!VERDICTS.includes(verdict as Verdict) || !Array.isArray(missing) || !Array.isArray(lost))
    return undefined;
  if (!isCount(missingCount) || !isCount(lostCount) || !isCount(given.neverHad)) return undefined;
  if ([score, shift].some((one) => one !== undefined && !isNumber(one))) return undefined;
  if (!Array.isArray(given.facts)) return undefined;
  return given as unknown as PageCheck;
}
