/**
 * `npm run soak -- --minutes 30 [--seed 1]`: crawls, kills, resumes, imports, exports, rebuilds and serves one
 * archive at random, and checks the promises of the README after each step. Ends with a table; exit code 1 when a
 * promise was broken. The same seed takes the same decisions; where a kill falls still depends on the machine.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { daguerre, FAST, killAllDaguerres } from '../daguerre-process.ts';
import { randomNumbers } from '../random-numbers.ts';
import { ARCHIVE_ACTIONS } from './archive-actions.ts';
import { startChangingSite } from './changing-site.ts';
import { checkReplay, checkVerify } from './checks.ts';
import { CRAWL_ACTIONS } from './crawl-actions.ts';
import { Ledger } from './ledger.ts';
import { startLongServer } from './long-server.ts';
import { growth, sparkline } from './memory.ts';
import type { Action, Breach, Counts, World } from './world.ts';

const ACTIONS = [...CRAWL_ACTIONS, ...ARCHIVE_ACTIONS];
const PAGES = 90;
/** Captures after which an archive is left and the next begun: whole checks of a large one leave few kills a minute. */
const LARGE = 12_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('usage: npm run soak -- --minutes 30 --seed 1');
  process.exit(2);
}

const deadline = performance.now() + minutes * 60_000;
const random = randomNumbers(seed);
const counts: Counts = {
  kills: 0,
  crawls: 0,
  interrupts: 0,
  imports: 0,
  exports: 0,
  reindexes: 0,
  verifies: 0,
  replayed: 0,
};
const breaches: Breach[] = [];
const memory: number[] = [];
const root = await mkdtemp(join(tmpdir(), 'daguerre-soak-'));
const site = await startChangingSite(PAGES);
process.on('exit', killAllDaguerres);

/** Each action as often as it weighs. */
const DRAWER = ACTIONS.flatMap((action) => Array.from({ length: action.weight }, () => action));

function pick(): Action {
  const action = DRAWER[Math.floor(random() * DRAWER.length)];
  if (!action) throw new Error('no action has any weight');
  return action;
}

/** One archive from its first crawl until it is large or the time is over. */
async function live(number: number): Promise<number> {
  const folder = join(root, `archive-${number}`);
  const scratch = join(root, `scratch-${number}`);
  const other = join(root, `other-${number}`);
  await mkdir(scratch);
  await daguerre(['archive', `${site.url}/`, '--archive', other, ...FAST, '--rotate-size', '40KB']);
  site.publish();
  await daguerre(['archive', `${site.url}/`, '--archive', folder, ...FAST, '--page-limit', '5']);
  const ledger = new Ledger(folder);
  let action = 'start';
  const world: World = {
    site,
    ledger,
    other,
    server: await startLongServer(folder),
    scratch,
    random,
    count: counts,
    breach(promise, detail) {
      breaches.push({ action, promise, detail });
      console.error(`BROKEN after ${action}: ${promise}: ${detail}`);
    },
  };
  while (performance.now() < deadline && ledger.size < LARGE) {
    const next = pick();
    action = next.name;
    await next.run(world);
    memory.push(world.server.memory() ?? 0);
    if (world.server.memory() === undefined)
      world.breach('serve stays up', (await world.server.running.ended).stderr);
    progress(ledger.size);
  }
  action = 'end';
  await checkReplay(world);
  await checkVerify(world);
  await world.server.stop();
  await rm(scratch, { recursive: true, force: true });
  await rm(other, { recursive: true, force: true });
  return ledger.size;
}

let told = 0;
function progress(size: number): void {
  if (performance.now() - told < 10_000) return;
  told = performance.now();
  const left = Math.max(0, Math.round((deadline - told) / 60_000));
  console.error(
    `${left} min left: ${counts.kills} kills, ${size} captures, ${breaches.length} broken promises`,
  );
}

let captures = 0;
let archives = 0;
try {
  while (performance.now() < deadline) captures += await live(++archives);
} finally {
  await site.close();
}

const lost = breaches.filter(({ promise }) => promise.includes('lost')).length;
console.log(`soak of ${minutes} minutes, seed ${seed}, ${archives} archive(s)`);
for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(12)} ${count}`);
console.log(`${'captures'.padEnd(12)} ${captures}\n${'lost'.padEnd(12)} ${lost}`);
console.log(`${'broken'.padEnd(12)} ${breaches.length}`);
console.log(`memory of serve, MB: ${sparkline(memory)} at most ${Math.max(...memory).toFixed(0)}`);
console.log(`growth of it from the middle third to the last: ${growth(memory).toFixed(2)}`);
for (const { action, promise, detail } of breaches) console.log(`- after ${action}: ${promise}: ${detail}`);
if (breaches.length === 0) await rm(root, { recursive: true, force: true });
else console.log(`kept for a look: ${root}`);
process.exitCode = breaches.length === 0 ? 0 : 1;
