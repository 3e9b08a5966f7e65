import { describe, expect, test } from 'vitest';
import type { PageSighting, SeenPage } from '../../model/pattern.ts';
import { type CrawlSpan, overduePages, siteVersions } from './site-versions.ts';

const url = (path: string): string => `https://example.org${path}`;
const HOUR = 3_600_000;

/** `'a a b -'`: what was seen of a page in the first, second, … hour; `-` gone, `.` not visited. */
function seen(path: string, course: string, more: Partial<PageSighting> = {}): SeenPage {
  const sightings = course.split(' ').flatMap((sign, i): PageSighting[] => {
    if (sign === '.') return [];
    return [{ at: i * 24 * HOUR + 10, state: sign === '-' ? 'gone' : 'there', sha256: sign, ...more }];
  });
  return { url: url(path), sightings };
}

const crawl = (number: number, inferred: readonly string[] = []): CrawlSpan => ({
  from: number * 24 * HOUR,
  to: number * 24 * HOUR + HOUR,
  inferred,
});
const told = ({ versions }: ReturnType<typeof siteVersions>) =>
  versions.map(({ pages, unseen = [] }) => ({
    pages: [...pages].map((page) => `${new URL(page.url).pathname} ${page.digest}`).sort(),
    unseen: [...unseen].sort(),
  }));

describe('versions of a site from what visits saw', () => {
  test('a page that a crawl did not visit stays as it was, until a visit finds it gone', () => {
    const past = siteVersions([seen('/a', 'x y z'), seen('/b', 'q . -')], [crawl(0), crawl(1), crawl(2)]);
    expect(told(past)).toEqual([
      { pages: ['/a x', '/b q'], unseen: [] },
      { pages: ['/a y', '/b q'], unseen: [] },
      { pages: ['/a z'], unseen: [] },
    ]);
    expect([...past.pages.keys()]).toEqual([url('/a')]);
  });

  test('a directory of which no page was seen, or that was taken for unchanged, was not looked at', () => {
    const past = siteVersions(
      [seen('/d/a', 'x . x'), seen('/e/a', 'q r s'), seen('/e/new', '. . n')],
      [crawl(0), crawl(1), crawl(2, ['/e/'])],
    );
    expect(told(past)).toEqual([
      { pages: ['/d/a x', '/e/a q'], unseen: [] },
      { pages: ['/e/a r'], unseen: ['/d/'] },
      { pages: ['/d/a x', '/e/a s', '/e/new n'], unseen: ['/e/'] },
    ]);
  });

  test('captures of no crawl, with pauses between them => a version each', () => {
    expect(siteVersions([seen('/a', 'x x y'), seen('/b', 'q q q')], []).versions).toHaveLength(3);
  });

  test('what a crawl that was stopped saw counts with the next that is finished', () => {
    const past = siteVersions([seen('/a', 'x y z')], [crawl(0), { from: 24 * HOUR, inferred: [] }, crawl(2)]);
    expect(told(past).map(({ pages }) => pages)).toEqual([['/a x'], ['/a z']]);
  });

  test('crawls that overlap, and captures between them => each sighting ends the version of every crawl it lies in', () => {
    const page = seen('/a', 'a b c d e f');
    const spans: readonly (readonly [number, number])[] = [
      [0, 1],
      [1, 3],
      [2, 2],
      [5, 5],
    ];
    const crawls = spans.map(([from, to]) => ({
      from: from * 24 * HOUR,
      to: to * 24 * HOUR + HOUR,
      inferred: [],
    }));
    // From the crawls: days 1, 3, 2 and 5; the sighting of day 4 is in none, and is a version of its own.
    const past = siteVersions([page], crawls.toReversed());
    expect(past.versions.map(({ at }) => Math.floor(at / (24 * HOUR)))).toEqual([1, 2, 3, 4, 5]);
  });

  test('a crawl under way is no version yet', () => {
    const past = siteVersions([seen('/a', 'x x y')], [crawl(0), crawl(1)], 48 * HOUR);
    expect(past.versions).toHaveLength(2);
    expect(past.since).toMatchObject([{ url: url('/a'), digest: 'y' }]);
  });

  test('the same look with other bytes => the same digest', () => {
    const page = seen('/a', 'x y', { look: 'seen' });
    const [first, second] = told(siteVersions([page], [crawl(0), crawl(1)]));
    expect(second).toEqual(first);
  });

  test('pages by when each was last seen => those not seen in the last versions are overdue, whatever of their directory was', () => {
    const past = siteVersions(
      [seen('/d/a', 'x x x x'), seen('/d/limit', 'y . . .'), seen('/d/new', '. . n .')],
      [crawl(0), crawl(1), crawl(2, ['/d/']), crawl(3)],
    );
    const overdue = (refreshEvery: number): string[] =>
      [...overduePages(past, refreshEvery)].map((one) => new URL(one).pathname);
    expect([overdue(5), overdue(4), overdue(3), overdue(2)]).toEqual([
      [],
      ['/d/limit'],
      ['/d/limit'],
      ['/d/limit', '/d/new'],
    ]);
  });

  test('nothing seen => no version', () => {
    expect(siteVersions([], [crawl(0)]).versions).toEqual([]);
  });
});
