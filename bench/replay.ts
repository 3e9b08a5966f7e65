/**
 * A page in replay beside the same page live, both on loopback, in one Chromium:
 * `npx tsx bench/replay.ts [--json] [--pages N] [--rounds N] [--minutes N] [--real [--folder DIR]] [--other CLONE]`.
 *
 * A made-up site (a style sheet, a script, a logo and pictures on each page) is archived; its server stays up. With `--real` these are
 * pages of 2013 with all that they load, from ../shared/data or from a folder laid out like it. In turns each page is opened live and in
 * replay, where the service worker is there already, as for all pages but the first. The time is what the browser itself tells of the
 * document: from the beginning of its navigation to the end of its load event. Nothing archived is cached on either side. The ratio is of
 * both times of one turn; its median counts, and other work on the machine hits both. The interval is that of the rounds' medians.
 *
 * After `--minutes` no further round begins. At the end the servers are asked for the same without a browser, for their processor time.
 *
 * `--other CLONE` has another build, say of the commit before a change, replay the same archive in the same turns.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sharedData } from '../test/shared-data.ts';
import { type Cell, meanRatio, median, print, type Ratio, round } from './figures.ts';
import { type LoadedPage, processorTime } from './replay-processor.ts';
import {
  loadedParts,
  type Opening,
  openBrowser,
  openLive,
  openReplayed,
  type Serving,
  startServing,
} from './replay-sides.ts';
import { runCommand } from './run-command.ts';
import { startSite } from './site-server.ts';
import { folderSite } from './sites/folder-site.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    real: { type: 'boolean', default: false },
    folder: { type: 'string' },
    other: { type: 'string' },
  },
});
/** Real pages are larger, and take their time to be archived. */
const [count, rounds] = values.real
  ? [Number(values.pages ?? 6), Number(values.rounds ?? 5)]
  : [Number(values.pages ?? 10), Number(values.rounds ?? 10)];
const folder = await mkdtemp(join(tmpdir(), 'daguerre-replay-'));
const archive = join(folder, 'archive');

/** The folder of the real pages. */
function realPages(): string {
  if (values.folder !== undefined) return values.folder;
  const packed = sharedData('segmentation/random.tar.xz');
  if (packed === undefined || spawnSync('tar', ['xf', packed, '-C', folder]).status !== 0)
    throw new Error('../shared/data/segmentation/random.tar.xz is not there: name a folder by --folder');
  return join(folder, 'random');
}

interface Side {
  readonly name: string;
  readonly open: (url: string) => Promise<Opening>;
  readonly server?: Serving;
}

/** A page opened once on each side. */
interface Turn {
  readonly round: number;
  readonly openings: ReadonlyMap<Side, Opening>;
}

/** All but those of the first round, which warms all sides. */
const turns: Turn[] = [];
const opened = (side: Side, of: readonly Turn[] = turns): Opening[] =>
  of.flatMap(({ openings }) => openings.get(side) ?? []);

/** Medians of the rounds. */
function byRound(side: Side): number[] {
  const finished = [...new Set(turns.map((turn) => turn.round))];
  return finished.map((one) =>
    median(
      opened(
        side,
        turns.filter((turn) => turn.round === one),
      ).map(({ load }) => load),
    ),
  );
}

function row(side: Side): Record<string, Cell> {
  const of = (what: keyof Opening): number => round(median(opened(side).map((opening) => opening[what])), 1);
  return {
    'medians, ms': side.name,
    'first byte': of('firstByte'),
    'last byte': of('lastByte'),
    read: of('read'),
    load: of('load'),
  };
}

/** Each turn's ratio of two sides. */
function compared(ours: Side, theirs: Side): { value: number; note: string } {
  const ratios = turns.map(
    ({ openings }) => (openings.get(ours)?.load ?? 0) / (openings.get(theirs)?.load ?? 0),
  );
  const sorted = ratios.toSorted((a, b) => a - b);
  const quartile = (n: number): number => round(sorted[Math.floor((sorted.length * n) / 4)] ?? 0, 2);
  const medians = byRound(ours);
  const { value, interval } = meanRatio(medians, byRound(theirs));
  return {
    value: median(ratios),
    note: `${ours.name} against ${theirs.name}: by the medians of ${medians.length} rounds ${round(value, 2)} (${interval}); half of all turns ${quartile(1)} to ${quartile(3)}`,
  };
}

async function processorNote({ name, server }: Side, pages: readonly LoadedPage[]): Promise<string> {
  const time = server && (await processorTime(server, pages));
  if (!time) return `processor time of ${name} was not measured`;
  const [document, part, withParts] = [time.document, time.part, time.withParts].map((ms) => round(ms, 2));
  return `${name}: processor time of the server, ms: document ${document}, part ${part}, document asked for with its parts ${withParts}`;
}

const progress = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const real = values.real ? realPages() : undefined;
  const site = await startSite(real ? `/${real.replace(/^\/+/u, '')}` : 'rich', count);
  closing.push(site.close);
  const urls = real ? folderSite(real, count).paths.map((path) => site.url + path.slice(1)) : [site.url];
  progress(`archiving ${count} pages`);
  await runCommand([
    ...[process.execPath, 'bin/daguerre.js', 'archive', ...urls, '--archive', archive],
    ...['--allow-private', '--delay', '0', '--render', 'always', '--json'],
    ...(real ? ['--scope-type', 'page'] : []),
  ]);
  const { context, close } = await openBrowser();
  closing.push(close);
  const own = await context.newPage();
  await (await context.newCDPSession(own)).send('Network.setCacheDisabled', { cacheDisabled: true });
  const live: Side = { name: 'live', open: (url) => openLive(own, url) };
  const replaySide = async (name: string, build: string): Promise<Side & { readonly server: Serving }> => {
    const server = await startServing(build, archive);
    closing.push(server.close);
    const tab = await context.newPage();
    return { name, server, open: (url) => openReplayed(tab, server.url, url) };
  };
  const replay = await replaySide('replay', fileURLToPath(new URL('..', import.meta.url)));
  const other = values.other === undefined ? [] : [await replaySide('replay, other build', values.other)];
  const listed = (await (await fetch(`${replay.server.url}/api/pages?limit=${count}`)).json()) as {
    rows: { url: string }[];
  };
  const sides: Side[] = [live, replay, ...other];
  const notes: string[] = [];
  const pages = new Map<string, LoadedPage>(listed.rows.map(({ url }) => [url, { url, parts: [] }]));
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  let first: Opening | undefined;
  for (let turn = 0; turn < rounds && performance.now() < deadline; turn++) {
    progress(`round ${turn + 1} of ${rounds}`);
    const round: Turn[] = [];
    for (const [i, url] of [...pages.keys()].entries()) {
      const openings = new Map<Side, Opening>();
      try {
        // Another side is first each time.
        for (const [k] of sides.entries()) {
          const side = sides[(turn + i + k) % sides.length] as Side;
          const opening = await side.open(url);
          if (side === live) pages.set(url, { url, parts: await loadedParts(own) });
          if (side === replay) first ??= opening;
          openings.set(side, opening);
        }
        round.push({ round: turn, openings });
      } catch (error) {
        // The others still tell something: real pages wait for what is not there, or lead elsewhere.
        pages.delete(url);
        progress(`${url} is left out: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`);
      }
    }
    if (turn > 0) turns.push(...round);
  }
  if (turns.length === 0) throw new Error('no round was finished: give fewer --pages, or more --minutes');
  const found = byRound(replay).length + 1;
  if (found < rounds) notes.push(`ended after ${found} rounds of ${rounds}: the time was up (--minutes)`);
  if (pages.size < listed.rows.length) notes.push(`${listed.rows.length - pages.size} pages did not open`);
  notes.push(`the first page in replay took ${round(first?.load ?? 0, 1)} ms`);
  const ratios: Ratio[] = [];
  const against = (what: string, theirs: Side, aim: number): void => {
    const { value, note } = compared(replay, theirs);
    ratios.push({ what, value, aim, atMost: true });
    notes.push(note);
  };
  against('a page in replay against live, time to its load event', live, 1.5);
  for (const side of other) against('replay of this build against that of the other', side, 1);
  for (const side of [replay, ...other]) notes.push(await processorNote(side, [...pages.values()]));
  print(
    {
      title: `A page in replay beside the same page live, ${pages.size} ${real ? 'real' : 'made-up'} pages, ${found} rounds`,
      rows: sides.map(row),
      ratios,
      notes,
    },
    values.json,
  );
} finally {
  for (const close of closing.toReversed()) await close();
}
