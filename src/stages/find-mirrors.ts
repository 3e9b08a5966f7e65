import { AUTOMATIC, type MirrorFact } from '../model/mirror.ts';
import type { Millis } from '../model/time.ts';
import type { Catalog } from '../ports/catalog.ts';
import { sitePath } from '../science/evolution/site-path.ts';
import { alikePairs, type Signed } from '../science/mirrors/alike-sets.ts';
import { signatureOf } from '../science/mirrors/min-hash.ts';
import { type KnownVersions, mirrorRoles } from '../science/mirrors/mirror-status.ts';
import { isInPart, LEAST_PAGES, type MirroredPart, mirroredPart } from '../science/mirrors/mirrored-part.ts';
import { type ComparePorts, samePages } from './stored/same-pages.ts';
import { type SitePages, sitePages } from './stored/site-pages.ts';

export interface MirrorPorts extends ComparePorts {
  readonly catalog: ComparePorts['catalog'] &
    Pick<Catalog, 'sites' | 'pageStandings' | 'sightings' | 'siteBounds'>;
}

interface KnownSite {
  readonly site: string;
  readonly firstAt: Millis;
}

/**
 * Stage: the pages of all sites, as last seen → the sites that mirror another. Only signatures are held for sites without
 * mirrors: 1 kB for each, and for each of its larger directories. Known pairs are compared however little they still have in
 * common, and keep their direction: a copy that diverges does not make its origin a mirror.
 */
export async function findMirrors(
  ports: MirrorPorts,
  now: Millis,
  known: readonly MirrorFact[] = [],
): Promise<readonly MirrorFact[]> {
  const { hostsOf } = ports.catalog.siteBounds();
  // On a site with several hosts, one path names several pages.
  const isOneHost = (site: string): boolean => hostsOf(site).length < 2;
  const sites = (await ports.catalog.sites()).filter(
    ({ site, pages }) => pages >= LEAST_PAGES && isOneHost(site),
  );
  const signed: Signed[] = [];
  for (const { site } of sites)
    for (const set of signedSets(await sitePages(site, ports.catalog))) signed.push(set);
  const pairs = new Map<string, readonly [KnownSite, KnownSite]>();
  const byName = new Map(sites.map((site) => [site.site, site]));
  for (const [i, j] of alikePairs(signed)) {
    const [a, b] = [byName.get(signed[i]?.name ?? ''), byName.get(signed[j]?.name ?? '')];
    if (a && b) pairs.set([a.site, b.site].sort().join(' '), [a, b]);
  }
  const before = new Map<string, MirrorFact>();
  for (const fact of known) {
    const { mirror, origin, standing } = fact;
    const key = [mirror, origin].sort().join(' ');
    const [a, b] = [byName.get(mirror), byName.get(origin)];
    if (a && b) pairs.set(key, [a, b]);
    // If both directions are known, a person has reversed the one that was found.
    if (!before.has(key) || standing === 'confirmed') before.set(key, fact);
  }
  const found: MirrorFact[] = [];
  for (const [key, [a, b]] of pairs) {
    const fact = await comparedSites(a, b, ports, { now, before: before.get(key) });
    if (fact) found.push(fact);
  }
  return found.sort((a, b) => (a.mirror < b.mirror ? -1 : a.mirror > b.mirror ? 1 : b.agreeing - a.agreeing));
}

/**
 * A site as a whole and its larger directories: a site that mirrors a directory resembles that one alone. By paths with digests;
 * and by paths alone, since pages that name their own host have no bytes in common.
 */
function signedSets({ site, pages }: SitePages): readonly Signed[] {
  const directories = new Map<string, string[]>([['/', [...pages.keys()]]]);
  for (const path of pages.keys()) {
    const top = /^\/[^/]+\//.exec(sitePath(path).directory)?.[0];
    if (top === undefined) continue;
    const known = directories.get(top);
    if (known) known.push(path);
    else directories.set(top, [path]);
  }
  return [...directories]
    .filter(([, paths]) => paths.length >= LEAST_PAGES)
    .flatMap(([directory, paths]) => [
      {
        name: site,
        kind: `bytes ${directory}`,
        signature: signatureOf(paths.map((path) => `${path} ${pages.get(path)?.sha256}`)),
      },
      { name: site, kind: `paths ${directory}`, signature: signatureOf(paths) },
    ]);
}

/** A known mirror with today's figures. Undefined if the archive no longer holds any page of one of the two. */
export async function mirrorNow(
  before: MirrorFact,
  ports: MirrorPorts,
  now: Millis,
): Promise<MirrorFact | undefined> {
  const sites = new Map((await ports.catalog.sites()).map((site) => [site.site, site]));
  const [mirror, origin] = [sites.get(before.mirror), sites.get(before.origin)];
  return mirror && origin && (await comparedSites(mirror, origin, ports, { now, before }));
}

interface Comparing {
  readonly now: Millis;
  /** What is known of the pair: its direction stays, and so does its part if no other is found. */
  readonly before: MirrorFact | undefined;
}

async function comparedSites(
  a: KnownSite,
  b: KnownSite,
  ports: MirrorPorts,
  { now, before }: Comparing,
): Promise<MirrorFact | undefined> {
  const [ofA, ofB] = [await sitePages(a.site, ports.catalog), await sitePages(b.site, ports.catalog)];
  const agreements = await samePages(ofA, ofB, ports);
  // Two sites running one product have their paths in common, and nothing else.
  if (!before && ![...agreements.values()].includes(true)) return undefined;
  const unlike = [...new Set([...ofA.pages.keys(), ...ofB.pages.keys()])].filter(
    (path) => agreements.get(path) !== true,
  );
  const [courseA, courseB] = [await courses(ofA, unlike, ports), await courses(ofB, unlike, ports)];
  const isBehind = (path: string): boolean =>
    (before?.mirror !== b.site && showed(courseA.get(path), courseB.get(path))) ||
    (before?.mirror !== a.site && showed(courseB.get(path), courseA.get(path)));
  const alike = [...agreements].map(([path, isSame]) => [path, isSame || isBehind(path)] as const);
  const part = mirroredPart(alike) ?? (before && knownPart(before, alike));
  if (!part) return undefined;
  const inPart = (path: string): boolean => isInPart(path, part);
  const sideOf = ({ site, firstAt }: KnownSite, { pages }: SitePages) => ({
    site,
    pages: [...pages.keys()].filter(inPart).length,
    firstSeen: firstAt,
  });
  const roles = mirrorRoles(
    sideOf(a, ofA),
    sideOf(b, ofB),
    unlike
      .filter(inPart)
      .map((path) => ({ path, a: courseA.get(path), b: courseB.get(path), agrees: false })),
    before?.origin,
  );
  const isClear = part.agreeing >= AUTOMATIC.pages && part.agreeing >= AUTOMATIC.share * part.pages;
  const { origin, mirror, behind } = roles;
  return {
    mirror,
    origin,
    ...part,
    agreeing: [...agreements].filter(([path, isSame]) => isSame && inPart(path)).length,
    behind: behind.pages,
    ...(behind.since !== undefined && { since: behind.since }),
    standing: isClear ? 'automatic' : 'suspected',
    checkedAt: now,
  };
}

function knownPart(
  { path, exclusions }: MirrorFact,
  alike: readonly (readonly [path: string, isAlike: boolean])[],
): MirroredPart {
  const inside = alike.filter(([page]) => isInPart(page, { path, exclusions }));
  return { path, exclusions, pages: inside.length, agreeing: inside.filter(([, isAlike]) => isAlike).length };
}

/** Whether one now shows what the other showed before: it follows, and is behind. */
const showed = (one: KnownVersions | undefined, other: KnownVersions | undefined): boolean =>
  other?.versions.slice(0, -1).some(({ digest }) => digest === one?.versions.at(-1)?.digest) ?? false;

/** Versions of the pages that the site has, by path. */
async function courses(
  { pages }: SitePages,
  paths: readonly string[],
  { catalog }: MirrorPorts,
): Promise<ReadonlyMap<string, KnownVersions>> {
  const byUrl = new Map(
    paths.flatMap((path) => (pages.has(path) ? [[pages.get(path)?.url ?? '', path] as const] : [])),
  );
  const found = new Map<string, KnownVersions>();
  for (const { url, sightings } of await catalog.sightings([...byUrl.keys()])) {
    const versions: { since: Millis; digest: string }[] = [];
    for (const { at, state, sha256 } of sightings)
      if (state === 'there' && versions.at(-1)?.digest !== sha256)
        versions.push({ since: at, digest: sha256 });
    found.set(byUrl.get(url) ?? '', { versions });
  }
  return found;
}
