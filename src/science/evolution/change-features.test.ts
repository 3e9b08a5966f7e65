import { describe, expect, it } from 'vitest';
import { changeFeatures, FEATURES } from './change-features.ts';
import { CHANGE_COEFFICIENTS, changeShares } from './change-model.ts';
import { DirectoryHistory } from './directory-history.ts';

const HOUR = 3600 * 1000;

/** Two pages in each directory; `changes(d, v)`: whether those of directory d change in version v. */
function history(
  directories: number,
  versions: number,
  changes: (directory: number, version: number) => boolean,
  every = 7 * 24 * HOUR,
): DirectoryHistory {
  const past = new DirectoryHistory();
  const contents = new Array<number>(directories).fill(0);
  for (let v = 0; v < versions; v++) {
    contents.forEach((_, d) => {
      if (v > 0 && changes(d, v)) contents[d] = v;
    });
    const pages = contents.flatMap((content, d) =>
      ['x', 'y'].map((page) => ({ url: `/${d}/${page}`, digest: String(content) })),
    );
    past.add({ at: v * every, pages });
  }
  return past;
}

/** One feature of each directory, in directory order, before the version after the last. */
function feature(past: DirectoryHistory, name: (typeof FEATURES)[number], every = 7 * 24 * HOUR): number[] {
  const { rows } = changeFeatures(past, past.versions - 1, past.versions * every);
  return rows.map((row) => row[FEATURES.indexOf(name)] as number);
}

describe('changeFeatures', () => {
  it('one coefficient for each feature', () => {
    expect(CHANGE_COEFFICIENTS).toHaveLength(FEATURES.length);
  });

  it('a rebuild of everything => half a transition worth of change for one of two directories, in 19', () => {
    const [, cold = 0] = feature(
      history(2, 20, (d, v) => d === 0 || v === 19),
      'share',
    );
    // Shares: ½ of one transition, over ½ of 19; both with half a page of four.
    expect(cold).toBeCloseTo(Math.log((0.5 + 0.125) / (19 / 2 + 0.125)), 9);
  });

  it('no change in any look => never', () => {
    expect(
      feature(
        history(2, 20, (d) => d === 0),
        'never',
      ),
    ).toEqual([0, 1]);
  });

  it('changes every fourth version, six hours apart => in season where the next is one of these, out of it else', () => {
    const every = 6 * HOUR;
    const past = (versions: number): DirectoryHistory =>
      history(2, versions, (d, v) => d === 1 || v % 4 === 0, every);
    const [inSeason = 0] = feature(past(20), 'season', every);
    const [outOfSeason = 0] = feature(past(21), 'season', every);
    expect(inSeason).toBeGreaterThan(0.3);
    expect(outOfSeason).toBeLessThan(-0.3);
  });

  it('weekly versions => no season', () => {
    expect(
      feature(
        history(2, 20, (d, v) => d === 1 || v % 4 === 0),
        'season',
      ),
    ).toEqual([0, 0]);
  });

  it('a look that covers three transitions => a third of the rate', () => {
    const past = new DirectoryHistory();
    const add = (v: number, content: number, isSeen: boolean): void => {
      const own = { url: '/a/x', digest: String(content) };
      const other = { url: '/b/x', digest: String(v) };
      past.add({ at: v, pages: isSeen ? [own, other] : [other], unseen: isSeen ? [] : ['/a/'] });
    };
    add(1, 0, true);
    add(2, 0, false);
    add(3, 0, false);
    add(4, 1, true);
    const last = changeFeatures(past, 3, 5).rows.map((row) => row[FEATURES.indexOf('last')] as number);
    expect(last[0]).toBeCloseTo(Math.log1p(10 / 3), 9);
    expect(last[1]).toBeCloseTo(Math.log1p(10), 9);
  });
});

describe('changeShares', () => {
  it('any past => shares that add up to 1, more where changes were', () => {
    const past = history(3, 20, (d, v) => d === 0 || (d === 1 && v % 3 === 0));
    const shares = changeShares(changeFeatures(past, 19, 1), CHANGE_COEFFICIENTS);
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    expect([...shares].toSorted((a, b) => b - a)).toEqual([...shares]);
  });
});
