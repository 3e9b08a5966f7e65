import type { CertificateRow } from '../api.ts';

export interface ProvableTime {
  readonly site: string;
  readonly at: number;
  /** Proven the same at visit and revisit. */
  readonly pages: number;
}

const MOST = 20;

/** Moments that certificates date, the latest first, each with the site of its first seed. */
export function provableTimes(
  certificates: readonly Pick<CertificateRow, 'seeds' | 'provenAt' | 'visible' | 'strict'>[],
  sites: readonly string[],
): readonly ProvableTime[] {
  return certificates
    .flatMap(({ seeds: [seed = ''], provenAt, visible, strict }) => {
      if (provenAt === null || !URL.canParse(seed)) return [];
      const { host } = new URL(seed);
      const site = sites.find((name) => host === name || host.endsWith(`.${name}`));
      return site === undefined ? [] : [{ site, at: provenAt, pages: Math.max(visible, strict) }];
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST);
}
