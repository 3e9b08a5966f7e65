import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RefreshReport } from '../../src/archive/refresh/run-refresh.ts';
import { complaints, daguerre, FAST } from './daguerre.ts';
import { type NationalWeb, nationConfig, newNationArchive, startNation, told } from './national-web.ts';
import type { Answer } from './small-site.ts';

/* What a refresh, a page limit and decisions make of an archive that was made by a crawl of a perimeter. */

const chain = (title: string, more: readonly { href: string }[] = []): Record<string, Answer> => ({
  '/': told('fr', title, [{ href: '/a' }, ...more]),
  '/a': told('fr', `${title} a`, [{ href: '/b' }, ...more]),
  '/b': told('fr', `${title} b`, [{ href: '/' }]),
});

let web: NationalWeb;
let folder: string;
let archive: string;
let config: string;

/** 2 links to all others; 8 to 12 are named by nobody. */
beforeAll(async () => {
  web = await startNation((url) => ({
    2: {
      ...chain('Accueil', [{ href: url(5) }, { href: url(7) }, { href: url(13) }]),
      ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`/p${i}`, told('fr', `Page ${i}`)])),
      '/b': told(
        'fr',
        'Liste',
        Array.from({ length: 12 }, (_, i) => ({ href: `/p${i}` })),
      ),
    },
    5: chain('Mairie', [{ href: url(7) }]),
    7: chain('Recette'),
    14: {
      '/': told('fr', 'Ancienne', [{ href: '/vieux' }]),
      '/vieux': { status: 301, headers: { Location: '/neuf' } },
      '/neuf': told('fr', 'Neuf'),
    },
    13: chain('Hostile', [{ href: url(5) }]),
    ...Object.fromEntries([8, 9, 10, 11, 12].map((site) => [site, chain(`Choisi ${site}`)])),
  }));
});
afterAll(() => web.close());
beforeEach(async () => {
  ({ folder, archive, config } = await newNationArchive(web));
});

const name = (site: number): string => new URL(web.url(site)).host;
const sitesAsked = (): number[] => web.asked().map((path) => Number(path.split('/')[0]));
const crawl = (...more: readonly string[]) =>
  daguerre(['archive', web.url(2), '--config', config, '--archive', archive, '--json', ...more]);
const decide = (...args: readonly string[]) =>
  daguerre(['decide', ...args, '--by', 'A. Librarian', '--why', 'knows it', '--archive', archive, '--json']);
const refresh = (...more: readonly string[]) =>
  daguerre(['refresh', '--archive', archive, '--no-skip-by-rules', '--json', ...more]);

it('a refresh after a crawl of a perimeter => each site by itself, those decided out not at all', async () => {
  await crawl();
  expect(new Set(sitesAsked())).toEqual(new Set([2, 5, 7, 13]));
  await decide(name(13), '--out');
  await decide(name(7), '--in');
  const plan = (await refresh('--dry-run')).json<{ sites: { site: string }[]; decidedOut: string[] }>();
  expect(plan.sites.map(({ site }) => site).toSorted()).toEqual([2, 5, 7].map(name).toSorted());
  expect(plan.decidedOut).toEqual([name(13)]);
  web.forget();
  const { json, stderr } = await refresh();
  const { sites, spent, decidedOut } = json<RefreshReport>();
  expect(Object.fromEntries(sites.map(({ site, visited }) => [site, visited]))).toEqual({
    [name(2)]: 15,
    [name(5)]: 3,
    [name(7)]: 3,
  });
  // Each page once.
  expect([web.asked().length, spent.refresh]).toEqual([21, 21]);
  expect(decidedOut).toEqual([name(13)]);
  expect(stderr).toContain(`decided to leave them out: ${name(13)}.`);
  expect(await complaints(archive)).toEqual([]);
});

it('--discovery with a perimeter that leaves a site out => the site is not asked for', async () => {
  await daguerre(['archive', web.url(2), '--archive', archive, ...FAST, '--scope-type', 'host']);
  const out = [`      - { target: "${name(13)}", by: "A. Librarian", why: "not ours" }`];
  config = await nationConfig(folder, `    threshold: 0.05\n    out:\n${out.join('\n')}\n`);
  web.forget();
  const flags = ['--discovery', '50%', '--perimeter', 'nation', '--config', config];
  const { sites } = (await refresh(...flags)).json<RefreshReport>();
  expect(new Set(sites.map(({ site }) => site))).toEqual(new Set([2, 5, 7].map(name)));
  expect(sitesAsked()).not.toContain(13);
  web.forget();
  // Archived or not: what the perimeter leaves out is not read again.
  await daguerre(['archive', web.url(13), '--archive', archive, ...FAST]);
  web.forget();
  expect((await refresh(...flags)).json<RefreshReport>().decidedOut).toEqual([name(13)]);
  expect(sitesAsked()).not.toContain(13);
});

it('five sites decided in, a page limit of 6 => the seed and their front pages, no more', async () => {
  for (const site of [8, 9, 10, 11, 12]) await decide(name(site), '--in');
  const { json } = await crawl('--page-limit', '6');
  expect(json()).toMatchObject({ captured: 6 });
  expect(web.asked().toSorted()).toEqual(['10/', '11/', '12/', '2/', '8/', '9/']);
});

it('decided sites that do not answer => the limit holds all the same', async () => {
  for (const site of [20, 21, 22, 23, 24]) await decide(name(site), '--in');
  const { json } = await crawl('--page-limit', '6');
  const { captured, failed } = json<{ captured: number; failed: number }>();
  expect([captured + failed <= 6, web.asked().length <= 6]).toEqual([true, true]);
});

it('a page that moved => where it leads counts, the hop neither as a suspect nor as unread; now as at the end', async () => {
  config = await nationConfig(folder, '    threshold: 0.1\n');
  await decide(`${web.url(25)}x`, '--in');
  await daguerre([
    'archive',
    web.url(14),
    '--config',
    config,
    '--archive',
    archive,
    '--json',
    '--attempts',
    '1',
  ]);
  expect(web.asked()).toEqual(['14/', '14/vieux', '14/neuf']);
  const ask = async (...args: readonly string[]) =>
    (await daguerre(['perimeter', ...args, '--archive', archive, '--json'])).json<{
      known: object;
      suspects: { url: string }[];
      points: { known: object; mean: number }[];
    }>();
  const { known } = await ask('size');
  const { suspects } = await ask('suspects');
  expect(suspects.map(({ url }) => url)).not.toContain(web.url(14, '/vieux'));
  const { points } = await ask('size', '--over-time');
  expect(points.map((point) => [point.known, point.mean])).toEqual(
    points.map(() => [known, points[0]?.mean]),
  );
  expect(points).toHaveLength(2);
});

it('other weights, in which a page belongs no more => not read again, and told; why and explain agree', async () => {
  await crawl();
  // France counts against now: of the two sites there the seed alone is read.
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace('{ fr: 1.5, other: -1.5 }', '{ fr: -3, other: -1.5 }'));
  const explained = async (...more: readonly string[]) =>
    (await daguerre(['perimeter', 'explain', web.url(5), '--archive', archive, '--json', ...more])).json<{
      standing: { chance: number; links: { mean: number }[] };
    }>().standing;
  const [before, other] = [await explained(), await explained('--config', config)];
  expect([before.links[0]?.mean ?? 0, other.links[0]?.mean ?? 0].map((mean) => mean > 0)).toEqual([
    true,
    false,
  ]);
  web.forget();
  const { json } = await crawl();
  expect(sitesAsked()).not.toContain(5);
  expect(json<{ notes: string[] }>().notes.join()).toMatch(
    /belonged when last read and no longer do.*127\.0\.0\.5/,
  );
  const why = await daguerre(['why', web.url(5), '--archive', archive]);
  expect(why.stdout).toContain('it belonged to the perimeter when an earlier crawl read it');
  const line = (await daguerre(['perimeter', 'explain', web.url(5), '--archive', archive])).stdout.split(
    '\n',
  )[0];
  const told = /perimeter nation: (.*)$/.exec(line ?? '')?.[1] ?? 'nothing';
  expect(why.stdout).toContain(`Perimeter nation (read): ${told}`);
  await decide(name(5), '--in');
  expect((await daguerre(['why', web.url(5), '--archive', archive])).stdout).toContain(
    'Perimeter nation (read): in, chance 100 %: decided by A. Librarian',
  );
  const unknown = await daguerre(['perimeter', 'size', '--perimeter', 'french-web', '--archive', archive]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('crawls kept to: nation')]);
});
