import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { complaints, daguerre, spawnDaguerre } from './daguerre.ts';
import {
  type NationalWeb,
  nationConfig,
  newNationArchive,
  startNation,
  TEXTS,
  told,
} from './national-web.ts';
import type { Answer } from './small-site.ts';

/* A crawl that keeps to a web, not to hosts: languages, countries of servers, links, decisions. */

interface Suspect {
  readonly url: string;
  readonly chance: number;
  readonly inside: boolean;
  readonly evidence: readonly { criterion: string; found: string }[];
}

const TOWN = { '/': told('fr', 'Mairie', [{ href: '/b' }]), '/b': told('fr', 'Bulletin') };

let web: NationalWeb;
let folder: string;
let archive: string;
let config: string;

/** 2: France; 3: English, in the US; 4: Quebec; 5: France, linked by others; 6: link farm in the US; 7: French words, in the US. */
beforeAll(async () => {
  web = await startNation((url) => ({
    2: {
      '/': told('fr', 'Accueil', [
        { href: '/a' },
        { href: '/vide' },
        { href: url(3), words: 'Visit the home page of our friends in America' },
        { href: url(4), words: 'Nos amis du Québec et leurs pages' },
        { href: url(7), words: 'La vie quotidienne des habitants de la région' },
      ]),
      '/a': told('fr', 'Annonces', [{ href: '/' }, { href: url(5) }]),
      '/vide': told('none', '1', [{ href: '/' }]),
    },
    3: {
      '/': told('en', 'Friends', [{ href: '/more' }, { href: url(6) }, { href: url(5, '/b') }]),
      '/more': told('en', 'More', [{ href: '/even-more' }]),
      '/even-more': told('en', 'Even more'),
    },
    4: { '/': told('fr', 'Québec', [{ href: '/loin' }]), '/loin': told('fr', 'Loin') },
    5: TOWN,
    6: Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        i === 0 ? '/' : `/${i}`,
        told(
          'en',
          `Farm ${i}`,
          Array.from({ length: 30 }, (_, j) => ({ href: j === 0 ? '/' : `/${j}` })),
        ),
      ]),
    ),
    7: { '/': told('fr', 'Expatriés') },
  }));
});
afterAll(() => web.close());
beforeEach(async () => {
  ({ folder, archive, config } = await newNationArchive(web));
});

const crawl = (...more: readonly string[]) =>
  daguerre(['archive', web.url(2), '--config', config, '--archive', archive, '--json', ...more]);
const decide = (...args: readonly string[]) =>
  daguerre(['decide', ...args, '--by', 'A. Librarian', '--why', 'knows it', '--archive', archive, '--json']);
const explain = (url: string) => daguerre(['perimeter', 'explain', url, '--archive', archive]);
const suspects = async (): Promise<readonly Suspect[]> =>
  (await daguerre(['perimeter', 'suspects', '--archive', archive, '--json'])).json<{ suspects: Suspect[] }>()
    .suspects;

/** All that belong, and Quebec's front page: French words led there, and the country is known when it is read. */
const READ = ['2/', '2/a', '2/vide', '4/', '5/', '5/b', '7/'];

it('a crawl of the nation => its sites and French pages abroad, not Quebec, not the farm; the rest are suspects', async () => {
  const { code, json } = await crawl();
  const report = json<{
    perimeter: { inside: number; outside: number; suspects: number };
    captured: number;
  }>();
  expect(code).toBe(0);
  expect(web.asked().toSorted()).toEqual(READ);
  expect(report.perimeter).toMatchObject({ name: 'nation', inside: 6, outside: 1, suspects: 2 });
  const found = await suspects();
  expect(found.map(({ url }) => url).toSorted()).toEqual([web.url(3), web.url(4, '/loin')]);
  const english = found.find(({ url }) => url === web.url(3));
  expect(english).toMatchObject({ inside: false, evidence: [{ criterion: 'language', found: 'en' }] });
  expect(await complaints(archive)).toEqual([]);
});

it('explain, why, size, report => verdicts with reasons, counts; no credit for countries of a list of the user’s own', async () => {
  await crawl();
  const page = (await explain(web.url(5))).stdout;
  expect(page).toMatch(/: in, chance \d+ %: language fr \+1\.\d+, country FR \+1\.50, links at 1 \+/);
  // The list of the user's own told it: nobody else is to be credited.
  expect(page).not.toContain('DB-IP');
  expect((await explain(web.url(3))).stdout).toMatch(/: out, chance .*language en \(other\) -.*a suspect/s);
  expect((await explain('http://127.0.0.99/')).stdout).toMatch(/no page that was read names it/i);
  const { stdout } = await daguerre(['why', web.url(3), '--archive', archive]);
  expect(stdout).toMatch(
    /named and not read: not believed to belong.*\nPerimeter nation \(not read\): out, chance/s,
  );
  const size = await daguerre(['perimeter', 'size', '--archive', archive, '--json']);
  const { mean, low, high, known } = size.json<{ mean: number; low: number; high: number; known: object }>();
  expect(known).toEqual({ read: 7, unread: 2 });
  expect(low <= mean && mean <= high && mean > 4 && high <= 9).toBe(true);
  const report = await daguerre(['report', `127.0.0.2:${new URL(web.url(2)).port}`, '--archive', archive]);
  expect(report.stdout).toMatch(
    /Perimeter nation: of 7 pages read 6 belonged when they were read, 1 did not; .*2 suspects/,
  );
});

it('decisions => win over criteria, count as the truth, and raise a suspect in the next crawl', async () => {
  await decide(web.url(3), '--in');
  await decide('127.0.0.7', '--out');
  const { json } = await crawl();
  expect(web.asked()).toContain('3/');
  expect(web.asked()).not.toContain('7/');
  expect(web.asked()).not.toContain('4/loin');
  expect(json()).toMatchObject({ skips: { decided: 1 } });
  expect((await explain(web.url(3))).stdout).toMatch(
    /: in, chance 100 %: decided by A\. Librarian: knows it.*\nDecision: in/s,
  );
  const { decided } = (await daguerre(['perimeter', 'size', '--archive', archive, '--json'])).json<{
    decided: number;
  }>();
  expect(decided).toBe(1);
  await decide('127.0.0.4', '--in');
  await crawl();
  expect(web.asked()).toContain('4/loin');
});

it('a page that turns out not to belong => kept, and its links are followed no further than the depth', async () => {
  // Only the country of the server tells, and that only once the page is read.
  config = await nationConfig(folder, '    threshold: 0.3\n');
  await crawl();
  const asked = web.asked();
  expect(asked).toEqual(expect.arrayContaining(['3/', '2/a']));
  expect((await explain(web.url(3))).stdout).toMatch(/: out, .*It was read\./s);
  expect(asked.filter((path) => path.startsWith('6/')).length).toBeLessThanOrEqual(1);
  expect(asked).not.toContain('3/even-more');
});

it('killed at any page and run again => the same pages, none twice but those in hand', async () => {
  const running = spawnDaguerre([
    ...['archive', web.url(2), '--config', config, '--archive', archive, '--json', '--delay', '300ms'],
  ]);
  await Promise.race([web.sites.get(2)?.seen(2), running.ended]);
  running.child.kill('SIGKILL');
  await running.ended;
  expect((await crawl()).json()).toMatchObject({
    perimeter: { inside: 6, outside: 1, suspects: 2 },
    crawl: 1,
  });
  expect([...new Set(web.asked())].toSorted()).toEqual(READ);
  expect(await complaints(archive)).toEqual([]);
});

it('the catalog is lost => reindex brings back verdicts and suspects', async () => {
  await crawl();
  const before = await suspects();
  const page = (await explain(web.url(5))).stdout;
  for (const ending of ['', '-wal', '-shm'])
    await rm(join(archive, `catalog.sqlite${ending}`), { force: true });
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
  expect(await suspects()).toEqual(before.map((one) => ({ ...one, at: expect.any(Number) })));
  expect((await explain(web.url(5))).stdout).toBe(page);
});

it('size over time => what was known at the end of each crawl, the same after reindex', async () => {
  interface Sizes {
    readonly points: readonly {
      at: number;
      crawl?: number;
      mean: number;
      low: number;
      high: number;
      known: { read: number; unread: number };
    }[];
  }
  await crawl('--page-limit', '1');
  await crawl();
  const sizes = async () =>
    (await daguerre(['perimeter', 'size', '--over-time', '--archive', archive, '--json'])).json<Sizes>()
      .points;
  const points = await sizes();
  expect(points.map(({ crawl, known }) => ({ crawl, known }))).toEqual([
    // The front page, and what it names.
    { crawl: 1, known: { read: 1, unread: 5 } },
    { crawl: 2, known: { read: 7, unread: 2 } },
    { crawl: undefined, known: { read: 7, unread: 2 } },
  ]);
  expect(points.every(({ low, mean, high }) => low <= mean && mean <= high)).toBe(true);
  const { stdout } = await daguerre([
    ...['perimeter', 'size', '--over-time', '--points', '1', '--archive', archive],
  ]);
  expect(stdout).toMatch(/crawl 2 +7 +9 .*█.*\n.* now +7 +9 .*█.*\n {2}and 1 crawl before/);
  for (const ending of ['', '-wal', '-shm'])
    await rm(join(archive, `catalog.sqlite${ending}`), { force: true });
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
  const timeless = ({ at: _, ...one }: Sizes['points'][number]) => one;
  expect((await sizes()).map(timeless)).toEqual(points.map(timeless));
});

it('refresh --discovery --perimeter => new sites that are believed to belong; the others are named as not wanted', async () => {
  await crawl('--page-limit', '1');
  const plan = ['refresh', '--dry-run', '--discovery', '50%', '--archive', archive, '--json'];
  const { sites, unwanted } = (await daguerre([...plan, '--perimeter', 'nation'])).json<{
    sites: { site: string; side: string }[];
    unwanted: string[];
  }>();
  const host = (n: number): string => new URL(web.url(n)).host;
  // Words of the links are French; those to the third site are not.
  expect(sites.flatMap(({ site, side }) => (side === 'discovery' ? [site] : [])).toSorted()).toEqual([
    host(4),
    host(7),
  ]);
  expect(unwanted).toEqual([host(3)]);
  const { code, stderr } = await daguerre([
    ...plan.slice(0, 2),
    '--perimeter',
    'nation',
    '--archive',
    archive,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--discovery 20%')]);
});

it('page limit => holds; what was believed to belong and not read is told', async () => {
  const { json } = await crawl('--page-limit', '2');
  const { captured, perimeter } = json<{ captured: number; perimeter: { believed: number } }>();
  expect(captured).toBe(2);
  expect(perimeter.believed).toBeGreaterThan(0);
});

it('a decision while the crawl runs => suspects that belong by it join at once', async () => {
  // The crawl cannot end before the decision is made: the town hall does not answer until then.
  let held: ServerResponse | undefined;
  const town = web.sites.get(5);
  const waits: Answer = (_, response) => {
    held = response;
  };
  town?.become({ ...TOWN, '/': waits });
  try {
    const running = spawnDaguerre([
      ...['archive', web.url(2), '--config', config, '--archive', archive, '--json'],
    ]);
    await Promise.race([town?.seen(1), running.ended]);
    expect((await decide('127.0.0.4', '--in')).code).toBe(0);
    held?.end(TOWN['/']);
    expect((await running.ended).code).toBe(0);
    expect(web.asked()).toContain('4/loin');
  } finally {
    town?.become(TOWN);
  }
});

it.each([
  [['--perimeter', 'none'], /no perimeter is named 'none'; there are: french-web, nation/],
  [['--extra-hops', '2'], /--extra-hops leaves a scope/],
])('%j => exit code 2 and what is accepted', async (args, message) => {
  const { code, stderr } = await crawl(...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

it('pages without words, and no data on addresses => judged by what there is', async () => {
  expect(TEXTS.none).not.toMatch(/\p{L}/u);
  await daguerre([
    ...[
      'archive',
      web.url(2),
      '--perimeter',
      'french-web',
      '--archive',
      archive,
      '--json',
      '--render',
      'never',
    ],
    ...['--allow-private', '--delay', '0'],
  ]);
  const { stdout } = await explain(web.url(2, '/vide'));
  expect(stdout).toMatch(/perimeter french-web: (in|out), chance/);
  expect(stdout).not.toContain('language');
  expect(stdout).not.toContain('country');
});

it('a configuration that weighs what no crawl kept => says which criterion, of how many pages, and what to do; read again => what is left', async () => {
  await crawl();
  const weighed = await nationConfig(folder, '    commercial: -1\n    domains: { 127.0.0.2: 2 }\n');
  const told =
    /7 pages were read by crawls that had no weight for domain 127\.0\.0\.2, commercial .*read them again with 'daguerre archive … --perimeter nation'/;
  for (const command of [['explain', web.url(2)], ['suspects'], ['size'], ['size', '--over-time']]) {
    const args = ['perimeter', ...command, '--archive', archive];
    expect((await daguerre(args)).stdout).not.toContain('no weight for');
    expect((await daguerre([...args, '--config', weighed])).stdout).toMatch(told);
  }
  const again = await daguerre([
    'archive',
    web.url(2),
    '--config',
    weighed,
    '--archive',
    archive,
    '--restart',
  ]);
  expect(again.stdout + again.stderr).toMatch(told);
  // All but a page that did not belong, and is not read again.
  expect((await daguerre(['perimeter', 'size', '--archive', archive])).stdout).toMatch(
    /: 1 page was read by crawls that had no weight/,
  );
});
