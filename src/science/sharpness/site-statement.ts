import type {
  CertificateStatement,
  CertifiedInference,
  CertifiedPage,
  CertifiedVisit,
} from '../../model/certificate.ts';
import type { KeptDirectory, RecordedVisit } from '../../model/site-capture.ts';
import { outcomeOf, statementOf } from './certificate.ts';
import { previousEndOf } from './observation.ts';

/**
 * What a certificate says of one of its sites: every figure recomputed from the pages of that site alone. If the
 * crawl was of one site, the statement itself.
 */
export function siteStatement(
  statement: CertificateStatement,
  site: string,
  siteOf: (url: string) => string,
): CertificateStatement {
  const pages = statement.pages.filter(({ url }) => siteOf(url) === site);
  const inferred = statement.inferred?.filter((one) => one.site === site) ?? [];
  const isWhole =
    pages.length === statement.pages.length && inferred.length === (statement.inferred?.length ?? 0);
  if (isWhole) return statement;
  const { crawl } = statement;
  return statementOf(
    {
      ...crawl,
      seeds: crawl.seeds.filter((seed) => siteOf(seed) === site),
      startedAt: Date.parse(crawl.startedAt),
      finishedAt: Date.parse(crawl.finishedAt),
      ...(statement.groups && {
        groups: statement.groups.filter((group) => group.pages.some((url) => siteOf(url) === site)),
      }),
      // What other rules left out is counted only for the crawl as a whole.
      unvisited: { inferred: inferred.map(keptDirectory), skipped: statement.coverage?.skipped ?? 0 },
      pages: pages.map(({ url, rate, visit, revisit, visiblyUnchanged }) => {
        const first = visitOf(visit);
        const second = revisit && visitOf(revisit);
        return {
          url,
          rate,
          visit: first,
          ...(second && { revisit: { ...second, outcome: outcomeOf(first, second) } }),
          ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
        };
      }),
    },
    {
      version: statement.version,
      software: statement.software,
      clock: statement.clock,
      // The stated order, without the other sites' pages.
      found: pages
        .toSorted((a, b) => a.breadthFirst - b.breadthFirst)
        .map(({ url }) => ({ url, isSeed: true })),
      previousEnd: previousEndOf(statement),
      changes: changesOf(pages),
    },
  );
}

export const keptDirectory = ({ lastSeen, pages, ...fact }: CertifiedInference): KeptDirectory => ({
  ...fact,
  lastSeen: Date.parse(lastSeen),
  pages: pages.map(({ url, ...visit }) => ({ url, ...visitOf(visit) })),
});

const visitOf = ({ record, time, sha256, status, truncated }: CertifiedVisit): RecordedVisit => ({
  recordId: record,
  at: Date.parse(time),
  sha256,
  status,
  ...(truncated && { truncated }),
});

function changesOf(pages: readonly CertifiedPage[]): Map<string, readonly number[]> {
  return new Map(
    pages.flatMap(({ url, changes }) =>
      changes ? [[url, changes.map((time) => Date.parse(time))] as const] : [],
    ),
  );
}
