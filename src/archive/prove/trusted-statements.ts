import type { CertificateStatement, SignedCertificate } from '../../model/certificate.ts';
import type { Millis } from '../../model/time.ts';

/** A certificate as it was found, with whose key signed it. */
export interface FoundCertificate {
  readonly at: Millis;
  readonly certificate: SignedCertificate;
  /** Its signature fits, and its key is the archive's own or one that a person has confirmed. */
  readonly isTrusted: boolean;
}

/**
 * What certificates state up to a time. Of one that nobody vouches for, such as one that came with imported records, the pages are
 * known and nothing is proven.
 */
export function statementsOf(
  found: readonly FoundCertificate[],
  madeAt: Millis,
): readonly CertificateStatement[] {
  return found
    .filter(({ at }) => at <= madeAt)
    .sort((a, b) => a.at - b.at)
    .map(({ certificate: { statement }, isTrusted }) =>
      isTrusted ? statement : { ...statement, pages: statement.pages.map(({ revisit: _, ...page }) => page) },
    );
}
