import { certificateRow } from '../access/certificates.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../archive/crawl/crawl-settings.ts';
import { runCrawl } from '../archive/crawl/run-crawl.ts';
import type { OpenArchive } from '../archive/open/open-archive.ts';
import { prove } from '../archive/prove/prove.ts';
import { type NeighbourOrigins, TOWN_NEVER, TOWN_PROMISE } from '../lab/newspaper/index.ts';
import { CERTIFICATE } from '../model/certificate.ts';
import type { RenderMode } from '../model/crawl.ts';
import { PROOF_CLAIMS, type ProofClaim, type ProofStatement } from '../model/proof.ts';
import type { Millis } from '../model/time.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * The town's web: English pages about the town, and those they link to; not pages that sell, nor its friends abroad. All are at one
 * address, so that countries and domains say nothing.
 */
const SALTMARSH = {
  prior: 0.3,
  languages: { en: 0.7, other: -2.5 },
  topics: { town: { words: ['Saltmarsh', 'harbour', 'ferry', 'council'], weight: 2 } },
  commercial: -4,
  connectivity: [0.2, 0.1],
};

/** Settings for a capture of the newspaper and the web around it. */
export function townSettings(origins: NeighbourOrigins) {
  return {
    seeds: [`${origins.paper}/`, `${origins.town}/`],
    perimeter: 'saltmarsh',
    perimeters: { saltmarsh: SALTMARSH },
    // A perimeter does not restrict hosts. No page names any other; if one did, it would not be requested.
    exclude: [elsewhere(origins)],
    scopeType: 'any' as const,
  };
}

/** Matches every URL outside these sites. */
const elsewhere = (origins: NeighbourOrigins): string =>
  `^(?!(?:${Object.values(origins)
    .map((origin) => origin.replaceAll('.', '\\.'))
    .join('|')})/)`;

export interface DemoProof {
  readonly site: string;
  readonly phrase: string;
  readonly claim: ProofClaim;
  readonly at: Millis;
  readonly answers: ProofStatement['answers'];
}

/** Captures the town hall with revisits, and asks what it said at the moment across which most of it is proven. */
export async function proveTown(
  archive: OpenArchive,
  { town }: NeighbourOrigins,
  { clock, render }: { readonly clock: Clock; readonly render: RenderMode },
  signal: AbortSignal,
): Promise<readonly DemoProof[]> {
  const settings = CRAWL_SETTINGS.parse({
    seeds: [`${town}/`],
    collection: 'newspaper',
    render,
    allowPrivate: true,
    delay: '1s',
    revisit: 'sharp',
  });
  await runCrawl(archive, { spec: crawlSpec(settings), clock, signal, restart: true, syncEvery: 60_000 });
  const at = await provenMoment(archive, `${town}/`);
  if (at === undefined) return [];
  const site = new URL(town).host;
  const proofs: DemoProof[] = [];
  for (const claim of PROOF_CLAIMS) {
    const phrase = claim === 'present' ? TOWN_PROMISE : TOWN_NEVER;
    const asked = { site, phrase, claim, from: at, to: at, now: Math.max(Date.now(), clock.now()) };
    const { statement } = await prove({ archive: archive.folder.root }, asked);
    proofs.push({ site, phrase, claim, at, answers: statement.answers });
  }
  return proofs;
}

/** t* of the newest certificate of that seed. */
async function provenMoment({ catalog, reader }: OpenArchive, seed: string): Promise<Millis | undefined> {
  let newest: { readonly at: Millis; readonly provenAt: Millis } | undefined;
  const { siteOf } = catalog.siteBounds();
  for await (const fact of catalog.captures({ urlPrefix: CERTIFICATE })) {
    const row = await certificateRow(fact, reader, siteOf);
    if (row?.seeds[0] !== seed || row.provenAt === null) continue;
    if (!newest || row.at > newest.at) newest = { at: row.at, provenAt: row.provenAt };
  }
  return newest?.provenAt;
}
