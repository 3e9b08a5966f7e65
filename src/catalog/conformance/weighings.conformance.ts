import { expect, it } from 'vitest';
import type { CaptureFact } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { VersionFact } from '../../model/version.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, capture, digest, pageOf } from './examples.conformance.ts';
import { learntOf, versionOf } from './patterns.conformance.ts';

const A = 'https://example.org/a';
const SITE = 'example.org';

/** The numbers that patterns can be learnt from. */
export function weighings(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const answer = (url: string, at: number, payload: string): CaptureFact =>
    capture(url, at, { digest: digest(payload) });

  it('saliences of changes => with the sightings, of what was left out too, and with the versions', async () => {
    const course = { changed: [], renamed: [], came: [], went: [] };
    const change = (from: number, to: number, salience?: number) => ({
      ...{ url: A, from, to, importance: 0.1, operations: [], course },
      ...(salience !== undefined && { salience, why: 'because' }),
    });
    const fact = (payload: string, more: Partial<VersionFact>) =>
      versionOf(payload, { look: payload, basis: 'layout', importance: 0.1, ...more });
    await catalog().index({
      captures: [
        ...[answer(A, 100, 'one'), answer(A, 200, 'two'), answer(A, 400, 'four')],
        capture(pageInfoUri(A), 300, { type: 'resource' }),
      ],
      pages: [
        pageOf(A, 100, { version: fact('one', { importance: 1 }) }),
        pageOf(A, 200, { version: fact('two', {}) }),
        pageOf(A, 300, { version: fact('three', { basis: 'salience', salience: 0.3, kept: false }) }),
        pageOf(A, 400, { version: fact('four', { basis: 'salience', salience: 0.7 }) }),
      ],
      changes: [change(100, 200), change(200, 300, 0.3), change(200, 400, 0.7)],
      fileLengths: new Map(),
    });
    const told = (await catalog().sightings([A]))[0]?.sightings.map(({ importance, salience }) => [
      importance,
      salience,
    ]);
    expect(told).toEqual([
      [1, undefined],
      [0.1, undefined],
      [0.1, 0.3],
      [0.1, 0.7],
    ]);
    const versions = await catalog().versions({ url: A });
    expect(versions.map(({ basis, salience }) => [basis, salience])).toEqual([
      ['salience', 0.7],
      ['salience', 0.3],
      ['layout', undefined],
      ['layout', undefined],
    ]);
  });

  it('a sum passed over in one number => 0 where the threshold is in the other', async () => {
    const passed = { look: '100', basis: 'layout', accumulated: 0.2 } as const;
    await catalog().index({
      captures: [answer(A, 100, 'one')],
      pages: [pageOf(A, 100, { version: versionOf('one', passed) })],
      fileLengths: new Map(),
    });
    await catalog().learnPages(SITE, [learntOf(A)]);
    const site = { site: SITE, zone: 'UTC', factor: 1, mark: 1 };
    const place = { url: A, group: 0, threshold: 0.4 };
    await catalog().settlePatterns(site, [], [place]);
    expect(await all(catalog().pageStandings(SITE))).toMatchObject([{ accumulated: 0.2, threshold: 0.4 }]);
    await catalog().settlePatterns({ ...site, weigh: 'salience' }, [], [place]);
    expect(await (await reopen()).learntSite(SITE)).toEqual({ ...site, weigh: 'salience' });
    const [standing] = await all(catalog().pageStandings(SITE));
    expect(standing).toMatchObject({ accumulated: 0, weigh: 'salience' });
    await catalog().settlePatterns(site, [], [place]);
    expect(await catalog().learntSite(SITE)).toEqual(site);
  });
}
