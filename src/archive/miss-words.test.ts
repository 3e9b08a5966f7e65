import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../test/e2e/small-archive.ts';
import { Decisions } from '../model/decisions.ts';
import { type MissSources, missWords } from './miss-words.ts';

const T = Date.UTC(2024, 0, 1);
let archive: SmallArchive;
beforeAll(async () => {
  archive = await smallArchive(
    [{ url: 'http://x.org/', at: T, headers: [['Content-Type', 'text/html']], body: 'one', title: 'Home' }],
    { skips: [{ url: 'http://x.org/private', reason: 'robots', detail: 'Disallow: /private', depth: 1 }] },
  );
});
afterAll(() => archive.close());

const explained = (more: Partial<MissSources> = {}) => {
  let opened = 0;
  const why = missWords({
    archive: async () => {
      opened++;
      return { ...archive, decisions: async () => ({ held: new Decisions() }) as never };
    },
    now: () => T,
    ...more,
  });
  return { why, opened: () => opened };
};

describe('why something is not in the archive', () => {
  it('left out by a rule => the rule; never met => that; another site => its rules', async () => {
    const { why } = explained();
    expect((await why('http://x.org/private')).join(' ')).toMatch(
      /^It was never archived here\. The last crawl of http:\/\/x\.org\/ \(finished\): left out, .*Disallow: \/private/,
    );
    expect((await why('http://x.org/unheard')).join(' ')).toContain('no page that it visited names it');
    expect(await why('not an address at all')).toEqual([
      'It was never archived here: it is no address of a page.',
    ]);
  });

  it('a watch => when its visit is expected; asked again within a minute => not looked up again', async () => {
    const { why, opened } = explained({ nextVisit: async () => T + 3_600_000 });
    expect((await why('http://x.org/private')).at(-1)).toBe(
      'Its next visit is expected about 2024-01-01T01:00:00.000Z.',
    );
    await why('http://x.org/private');
    expect(opened()).toBe(1);
  });
});
