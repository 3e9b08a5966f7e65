import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY, dayOf, HOUR, hourOf, isWeekend, MINUTE } from './days.ts';
import { editorialBytes, render } from './render/render.ts';
import { SECTION_IDS } from './sections.ts';
import { createNewspaper, type Newspaper } from './world.ts';

/** A Wednesday. */
const START = Date.UTC(2026, 10, 18, 6);
const make = (seed = 1, size: 'small' | 'medium' | 'large' = 'small'): Newspaper =>
  createNewspaper({ seed, start: START, size });

/** Rendered at this exact time, not at the beginning of the version: reveals changes that the truth would miss. */
function digestAt(world: Newspaper, path: string, time: number): string {
  const found = world.resolve(path, time);
  if (found.kind !== 'page') return found.kind;
  const bytes = editorialBytes(found.spec, render(found.spec, found.spec.content(time), { traps: 'off' }));
  return createHash('sha256').update(bytes).digest('hex');
}

describe('createNewspaper', () => {
  it('same seed => same bytes; another seed => others', () => {
    const [a, b, c] = [make(1), make(1), make(2)];
    for (const path of ['/', '/politics/', '/live/', '/feeds/all.rss', '/weather/radar.png']) {
      expect(digestAt(a, path, START)).toBe(digestAt(b, path, START));
      expect(digestAt(a, path, START)).not.toBe(digestAt(c, path, START));
    }
  });

  it('asked forwards, backwards or at random => the same versions', () => {
    const times = Array.from({ length: 13 }, (_, i) => START + i * 5 * HOUR);
    const ask = (order: readonly number[]) => {
      const world = make(3);
      const answers = new Map(
        order.map((time) => [
          time,
          [world.versionAt('/', time), world.versionAt('/sport/', time), world.versionAt('/live/', time)],
        ]),
      );
      return {
        answers: times.map((time) => answers.get(time)),
        all: world.changesBetween(START, START + 2 * DAY),
      };
    };
    const forwards = ask(times);
    expect(ask([...times].reverse())).toEqual(forwards);
    expect(ask([...times].sort((a, b) => Math.sin(a) - Math.sin(b)))).toEqual(forwards);
  });

  it('small, medium, large => about 60, 300, 2,000 pages at the start', () => {
    const count = (size: 'small' | 'medium' | 'large') => make(1, size).pages(START).length;
    expect(Math.abs(count('small') - 60)).toBeLessThan(20);
    expect(Math.abs(count('medium') - 300)).toBeLessThan(80);
    expect(count('large')).toBeGreaterThan(1900);
  });

  it('hour by hour for two days: the body differs iff the truth has a change in between', () => {
    const world = make(5);
    const end = START + 2 * DAY;
    const paths = [...world.pages(end), ...world.resources(end)]
      .filter(({ path, class: c }) => c !== 'image' || /radar|chart/.test(path))
      .filter(({ path }) => !path.endsWith('.pdf'))
      .map(({ path }) => path);
    const gone = world
      .changesBetween(START, end)
      .filter(({ state }) => state === 'gone')
      .map(({ path }) => path);
    const wrong: string[] = [];
    let changed = 0;
    for (const path of new Set([...paths, ...gone])) {
      const versions = world.versions(path, end);
      let before = digestAt(world, path, START + 17 * MINUTE);
      for (let time = START + 17 * MINUTE; time + HOUR <= end; time += HOUR) {
        const after = digestAt(world, path, time + HOUR);
        const expected = versions.some(({ from }) => from > time && from <= time + HOUR);
        // Two changes within the hour may cancel out; then the bytes may agree.
        const many = versions.filter(({ from }) => from > time && from <= time + HOUR).length > 1;
        if (expected) changed++;
        if ((after !== before) !== expected && !many)
          wrong.push(`${path} at ${new Date(time).toISOString()}: truth says ${expected}`);
        before = after;
      }
    }
    expect(wrong).toEqual([]);
    expect(changed).toBeGreaterThan(200);
  });

  it('at every version of front pages => the second before differs, and nothing changes until its end', () => {
    const world = make(6, 'medium');
    const end = START + DAY;
    for (const path of [
      '/',
      '/politics/',
      '/feeds/all.atom',
      '/sitemaps/articles-2026-11.xml.gz',
      '/events/',
      '/archive/2026/11/18/',
      '/api/most-read.json',
    ]) {
      for (const { from, to } of world.versions(path, end).filter((v) => v.from > START)) {
        expect(digestAt(world, path, from - 1), `${path} before ${from}`).not.toBe(
          digestAt(world, path, from),
        );
        if (to !== undefined)
          expect(digestAt(world, path, to - 1), `${path} until ${to}`).toBe(digestAt(world, path, from));
      }
    }
  });

  it('versions => numbered from 1, each ends where the next begins', () => {
    const versions = make().versions('/', START);
    expect(versions.length).toBeGreaterThan(50);
    versions.forEach((version, i) => {
      expect(version.version).toBe(i + 1);
      expect(version.to).toBe(versions[i + 1]?.from);
      expect(version.changes.length).toBeGreaterThan(0);
      expect(version.importance).toBeGreaterThan(0);
      expect(version.importance).toBeLessThanOrEqual(1);
    });
  });

  it('a fortnight => moved, updated, inserted and deleted elements and blocks; a new lead matters more than weather', () => {
    const world = make(1, 'medium');
    const changes = world.changesBetween(START, START + 14 * DAY);
    const seen = new Set(changes.flatMap((v) => v.changes.map(({ kind, element }) => `${kind} ${element}`)));
    for (const kind of ['insert', 'delete', 'update', 'move'])
      for (const element of ['link', 'block']) {
        if (`${kind} ${element}` !== 'update block') expect(seen).toContain(`${kind} ${element}`);
      }
    const home = changes.filter(({ path }) => path === '/');
    const mean = (list: typeof home) => list.reduce((sum, v) => sum + v.importance, 0) / list.length;
    const inBlock = (id: string) => home.filter((v) => v.changes.every(({ block }) => block === id));
    const leads = home.filter((v) => v.changes.some((c) => c.block === 'lead' && c.element === 'image'));
    expect(leads.length).toBeGreaterThan(10);
    expect(mean(leads)).toBeGreaterThan(0.8);
    expect(mean(inBlock('live'))).toBeLessThan(0.2);
  });

  it('rhythms: more changes by day than by night, economy silent at weekends, quotes on weekdays only', () => {
    const world = make(1, 'medium');
    const changes = world.changesBetween(START, START + 14 * DAY);
    const own = changes.filter(({ path }) => path === '/' || SECTION_IDS.some((id) => path === `/${id}/`));
    const day = own.filter(({ from }) => hourOf(from) >= 8 && hourOf(from) < 20).length;
    expect(day).toBeGreaterThan(2 * (own.length - day));
    const economy = own.filter(({ path }) => path === '/economy/');
    expect(economy.length).toBeGreaterThan(20);
    expect(economy.filter(({ from }) => isWeekend(dayOf(from)))).toEqual([]);
    const quotes = changes.filter(({ path }) => path === '/economy/markets/');
    expect(quotes.length).toBeGreaterThan(900);
    expect(
      quotes.every(({ from }) => !isWeekend(dayOf(from)) && hourOf(from) >= 9 && hourOf(from) < 18),
    ).toBe(true);
  });

  it('articles => appear, are revised, move and are withdrawn within the truth', () => {
    const world = make(1, 'medium');
    const articles = world
      .changesBetween(START, START + 14 * DAY)
      .filter(({ path }) => /\/2026\//.test(path) && !path.startsWith('/archive'));
    expect(articles.some(({ version }) => version >= 4)).toBe(true);
    const moved = articles.find((v) => v.state === 'gone' && v.movedTo !== undefined);
    const withdrawn = articles.find((v) => v.state === 'gone' && v.movedTo === undefined);
    if (!moved || !withdrawn || moved.state !== 'gone')
      throw new Error('no article moved or withdrawn in a fortnight');
    expect(world.resolve(moved.path, moved.from)).toEqual({
      kind: 'redirect',
      status: 301,
      to: moved.movedTo,
    });
    expect(world.versionAt(moved.movedTo ?? '', moved.from)?.version).toBe(1);
    expect(world.resolve(withdrawn.path, withdrawn.from)).toEqual({ kind: 'gone' });
    expect(world.resolve(withdrawn.path, withdrawn.from - 1).kind).toBe('page');
  });

  it('paths that never were => none; a start that is no time => an error', () => {
    const world = make();
    for (const path of [
      '/nowhere',
      '/archive/2026/02/30/',
      '/politics/2026/11/18/none-abcde.html',
      '/print/2019-01-01.pdf',
      '/magazine/2026-11-18/',
      '/images/zzzzz-1.svg',
      '/crossword/1.svg',
    ]) {
      expect(world.resolve(path, START), path).toEqual({ kind: 'none' });
    }
    expect(world.resolve('/politics', START)).toEqual({ kind: 'redirect', status: 301, to: '/politics/' });
    expect(() => createNewspaper({ seed: 1, start: Number.NaN, size: 'small' })).toThrow(/start/);
  });
});
