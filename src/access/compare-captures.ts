import type { CaptureFact } from '../model/capture.ts';
import { type ComparedDelta, type Comparison, comparisonBy } from '../model/comparison.ts';
import { isHtml } from '../model/exchange.ts';
import { isPrivate } from '../model/private-capture.ts';
import type { Millis } from '../model/time.ts';

/** What a capture is compared by. */
export type ComparedCapture = Pick<CaptureFact, 'at' | 'status' | 'mime' | 'digest' | 'refersTo' | 'file'>;

/** What is stored of how the captures of a page look. */
export interface StoredLooks {
  /** Times of the layouts that show the captures, by the times of these. */
  readonly layouts: ReadonlyMap<Millis, Millis>;
  /** Deltas by the time of the later layout. */
  readonly deltas: ReadonlyMap<Millis, ComparedDelta & { readonly from: Millis }>;
}

/** The one place that says whether a capture changed since the one before: by the stored delta, wherever there is one. */
export function compareCaptures(
  before: ComparedCapture | undefined,
  fact: ComparedCapture,
  looks: StoredLooks,
): Comparison {
  if (!before) return { kind: 'first' };
  // 304: the server itself said so, whatever a foreign record knows of digests.
  if (fact.refersTo?.profile === 'server-not-modified') return { kind: 'same-bytes' };
  // A redirect or an error with an empty body has the digest of every other empty body.
  if (fact.status !== before.status)
    return { kind: 'not-comparable', why: `answered ${fact.status}, and ${before.status} before` };
  const isSame = hasSamePayload(before, fact);
  const [was, is] = [looks.layouts.get(before.at), looks.layouts.get(fact.at)];
  if (was !== undefined && was === is) return { kind: isSame ? 'same-bytes' : 'same-to-reader' };
  const delta = is === undefined ? undefined : looks.deltas.get(is);
  // Nobody looked at the one before: the delta tells what is new since the last one that was, as every list of changes does.
  if (delta && (was === undefined || delta.from === was)) {
    const said = comparisonBy(delta);
    return said.kind === 'changed' || !isSame ? said : { kind: 'same-bytes' };
  }
  if (isSame) return { kind: 'same-bytes' };
  return { kind: 'not-comparable', why: whyNot(before, fact, [was, is]) };
}

function whyNot(
  before: ComparedCapture,
  fact: ComparedCapture,
  [was, is]: readonly [Millis | undefined, Millis | undefined],
): string {
  if (!isHtml(fact.mime)) return `the bytes differ, and ${fact.mime || 'this'} has no layout`;
  if (isPrivate(before) !== isPrivate(fact))
    return 'the bytes differ, and private captures are not compared with others';
  if (is === undefined || was === undefined)
    return `the bytes differ, and no layout of ${is === undefined ? 'this version' : 'the version before'} is stored: 'daguerre analyse' makes it`;
  return "no delta between the two layouts is stored: 'daguerre analyse' makes it";
}

function hasSamePayload({ digest: a }: ComparedCapture, { digest: b }: ComparedCapture): boolean {
  if (a.sha256 !== '' && b.sha256 !== '') return a.sha256 === b.sha256;
  return a.sha1 !== '' && a.sha1 === b.sha1;
}
