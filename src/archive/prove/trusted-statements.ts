import type { CertificateStatement, SignedCertificate } from '../../model/certificate.ts';
import type { Millis } from '../../model/time.ts';

/** A certificate as it was found, and whether its signer can be trusted. */
export interface FoundCertificate {
  readonly at: Millis;
  readonly certificate: SignedCertificate;
  /** Its signature is valid, and its key is the archive's own or one that a person has confirmed. */
  readonly isTrusted: boolean;
}

/**
 * What certificates state up to a time. From one that nobody vouches for, such as one that came with imported records,
 * the pages are known but nothing is proven.
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
