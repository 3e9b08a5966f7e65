import type { CertificateRow } from '../api.ts';

export interface ProvableTime {
  readonly site: string;
  readonly at: number;
  /** Of this site: proven at that very moment. */
  readonly proven: number;
  readonly pages: number;
}

const MOST = 20;

/** Moments that certificates date, the latest first, with each site that they prove a page of. */
export function provableTimes(
  certificates: readonly Pick<CertificateRow, 'provenAt' | 'sites'>[],
): readonly ProvableTime[] {
  return certificates
    .flatMap(({ provenAt, sites }) =>
      provenAt === null ? [] : sites.map((one) => ({ ...one, at: provenAt })),
    )
    .filter(({ proven }) => proven > 0)
    .sort((a, b) => b.at - a.at || b.proven - a.proven)
    .slice(0, MOST);
}
