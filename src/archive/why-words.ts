import { isRedirect } from '../model/exchange.ts';
import { FAULTS, SKIPS } from '../model/fault.ts';
import type { Explanation } from './why-report.ts';

/**
 * What a crawl did with a URL, in a sentence: for the command line, and for readers who ask replay for something it
 * does not have.
 */

const time = (at: number): string => new Date(at).toISOString();

export function findingText(finding: Explanation): string {
  switch (finding.kind) {
    case 'visited': {
      const { at, fault, reason } = finding;
      const what = fault ? faultWords(fault) : reason;
      return `${outcomeWords(finding)} at ${time(at)}: ${what}.${behindWords(finding.leadsTo)}`;
    }
    case 'waiting':
      return `it waits to be visited${on(finding.via)}.`;
    case 'left-out': {
      const { reason, detail, known, via } = finding;
      const how = known === 'stored' ? 'left out' : 'its rules leave it out';
      return `${how}, ${SKIPS[reason]}: ${detail}${on(via)}.`;
    }
    case 'inferred':
      return inferredText(finding);
    case 'suspect':
      return finding.wasRead
        ? 'it was named and not read again: it belonged to the perimeter when an earlier crawl read it, and does not any more.'
        : 'it was named and not read: not believed to belong to the perimeter.';
    case 'virtual':
      return (
        `covered virtually, as known pages directly in ${finding.directory}: ${finding.rule}. Nothing of it is stored here; ` +
        `its record is in the archive ${finding.heldBy}.`
      );
    case 'never-seen':
      return 'its rules would let it in, but no page that it visited names it.';
    case 'linked':
      return finding.limits.length > 0
        ? `its rules let it in and ${finding.via} names it, but it ended before: ${finding.limits.map((reason) => SKIPS[reason]).join(', ')}.`
        : `its rules let it in and ${finding.via} names it now, but did not when the crawl read it.`;
  }
}

type Seen = Extract<Explanation, { kind: 'visited' }>;

const faultWords = ({ kind, detail }: NonNullable<Seen['fault']>): string =>
  `${FAULTS[kind].means} (${detail})`;

/** A captured redirect is not a captured page. */
function outcomeWords({ outcome, status = 0, fault }: Pick<Seen, 'outcome' | 'status' | 'fault'>): string {
  if (outcome === 'deferred') return 'to be tried again';
  return !fault && isRedirect(status) ? `answered with a redirect (${status})` : outcome;
}

function behindWords(there: Seen['leadsTo']): string {
  if (!there) return '';
  const why = there.fault ? `, ${faultWords(there.fault)}` : '';
  return ` It leads to ${there.url}: ${outcomeWords(there)}${why}.`;
}

function inferredText({
  directory,
  reason,
  rule,
  expectedMissed,
  pages,
  confidence,
  lastSeen,
  pageSeen,
  state,
}: Extract<Explanation, { kind: 'inferred' }>): string {
  const held = state === 'held' ? 'held back until others were visited' : undefined;
  const chance = `with a chance of ${Math.round(confidence * 100)}%`;
  if (reason !== 'mirror')
    return (
      `${held ?? 'not visited, and taken for unchanged'}, as all known pages directly in ${directory}: ${rule}. ` +
      `They were last looked at ${time(lastSeen)}; ` +
      `of ${pages} pages about ${expectedMissed.toFixed(2)} are expected to have changed (nothing at all ${chance}).`
    );
  const seen = pageSeen === null ? 'It was never visited' : `It was last visited ${time(pageSeen)}`;
  return (
    `${held ?? 'not visited, and taken for what its origin shows'}, with others of ${directory}: ${rule}. ${seen}; ` +
    `of ${pages} pages about ${expectedMissed.toFixed(2)} are expected to differ (none at all ${chance}).`
  );
}

const on = (via: string | undefined): string => (via === undefined ? '' : `; found on ${via}`);
