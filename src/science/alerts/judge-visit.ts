/** When a rule fires on a visit that found no page, or one that is not as it was; and on a capture of a whole site. */
import type { AlertKind, AlertRule } from '../../model/alert.ts';
import type { Millis } from '../../model/time.ts';
import { figure } from './judge-change.ts';

/** How a page answered: redirects and answers that say nothing are not reported. */
export interface JudgedVisit {
  readonly found: 'there' | 'gone' | 'error';
  /** `the server answered 404`. */
  readonly detail: string;
  /** Bytes of the version; absent where there is none. */
  readonly size?: number;
  readonly past: VisitPast;
}

/** What earlier visits had found. */
export interface VisitPast {
  /** The last visit's finding that was either the page or its absence; absent if the archive did not know the page. */
  readonly last?: { readonly state: 'there' | 'gone'; readonly at: Millis };
  /** Failures in a row before this visit. */
  readonly errors: number;
  /** Sizes of the last versions. */
  readonly sizes: readonly number[];
}

export interface VisitAlert {
  readonly kind: AlertKind;
  readonly summary: string;
  readonly from?: Millis;
}

/** Least number of versions or captures that make up "the last ones": a single small one proves nothing. */
const USUAL_FROM = 2;

export function judgeVisit({ when }: AlertRule, visit: JudgedVisit): VisitAlert[] {
  const { found, detail, size, past } = visit;
  const told: VisitAlert[] = [];
  const from = past.last && { from: past.last.at };
  if (when.gone && found === 'gone' && past.last?.state === 'there')
    told.push({ kind: 'gone', summary: `the page is gone: ${detail}`, ...from });
  if (when.back && found === 'there' && past.last?.state === 'gone')
    told.push({ kind: 'back', summary: 'the page is back', ...from });
  const failures = past.errors + 1;
  // Reported once, at the n-th: the next ones are the same failure.
  if (when.errors !== undefined && found === 'error' && failures === when.errors)
    told.push({ kind: 'errors', summary: `${failures} visits in a row failed: ${detail}`, ...from });
  const shrinkage = found === 'there' && size !== undefined ? shrunkBy(size, past.sizes) : undefined;
  if (when.shrunk !== undefined && shrinkage !== undefined && shrinkage.by > when.shrunk) {
    const words = `the page is ${percent(shrinkage.by)} smaller than its last versions (${size} bytes, usually ${shrinkage.usual})`;
    told.push({ kind: 'shrunk', summary: words, ...from });
  }
  return told;
}

export interface JudgedCapture {
  /** Number of pages that it holds. */
  readonly pages: number;
  /** Page counts of earlier captures of the same site, newest first. */
  readonly past: readonly number[];
  /** As its certificate says; absent where there is none. */
  readonly sharp?: { readonly pages: number; readonly sharp: number };
}

export function judgeCapture({ when }: AlertRule, { pages, past, sharp }: JudgedCapture): VisitAlert[] {
  const told: VisitAlert[] = [];
  const shrinkage = shrunkBy(pages, past);
  if (when.shrunk !== undefined && shrinkage !== undefined && shrinkage.by > when.shrunk) {
    const words = `the capture holds ${percent(shrinkage.by)} fewer pages than the last ones (${pages}, usually ${shrinkage.usual})`;
    told.push({ kind: 'shrunk', summary: words });
  }
  if (when.certificate !== undefined && sharp && sharp.pages > 0) {
    const share = sharp.sharp / sharp.pages;
    if (share < when.certificate) {
      const words = `certificate ${figure(share)} < ${figure(when.certificate)}: ${sharp.sharp} of ${sharp.pages} pages are proven sharp`;
      told.push({ kind: 'certificate', summary: words });
    }
  }
  return told;
}

/** Compared with the median of the last ones; undefined where there are too few, or it did not shrink. */
function shrunkBy(
  size: number,
  last: readonly number[],
): { readonly by: number; readonly usual: number } | undefined {
  const sorted = last.filter((one) => one > 0).sort((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)];
  if (usual === undefined || sorted.length < USUAL_FROM || size >= usual) return undefined;
  return { by: 1 - size / usual, usual };
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`;
