import { setTimeout as pause } from 'node:timers/promises';
import { capturesOf, type Finished, spawnDaguerre } from '../daguerre-process.ts';
import { checkMessages, checkReplay } from './checks.ts';
import { type Action, PROMISE, type World } from './world.ts';

const FLAGS = ['--allow-private', '--delay', '0', '--per-host', '4', '--json'];

/** Few spellings, so that killed crawls are often resumed by a later action. */
function crawlCommand({ site, ledger, random }: World): string[] {
  const through = random() < 0.12 ? ['--render', 'auto', '--page-limit', '6'] : ['--render', 'never'];
  const sync = random() < 0.5 ? ['--sync-every', '0'] : [];
  const order =
    ['adaptive-organ-pipe', 'sharc-online', 'breadth-first'][Math.floor(random() * 3)] ?? 'breadth-first';
  const rotate = random() < 0.3 ? ['--rotate-size', '100KB'] : [];
  const archive = ['archive', `${site.url}/`, '--archive', ledger.folder];
  return [...archive, ...FLAGS, ...through, '--order', order, ...sync, ...rotate];
}

async function afterSomeRequests(
  world: World,
  command: readonly string[],
  signal: NodeJS.Signals,
): Promise<Finished> {
  const running = spawnDaguerre(command);
  // A third of the kills come while the archive is opened or the crawl is set up.
  if (world.random() < 0.33) await pause(world.random() * 600);
  else {
    await Promise.race([world.site.more(1 + Math.floor(world.random() * 40)), running.ended]);
    await pause(world.random() * 40);
  }
  running.child.kill(signal);
  return await running.ended;
}

const killedCrawl: Action = {
  name: 'crawl, killed',
  weight: 50,
  async run(world) {
    const { code, stderr } = await afterSomeRequests(world, crawlCommand(world), 'SIGKILL');
    checkMessages(world, 'archive', { code, stderr });
    if (code === undefined) world.count.kills++;
    else world.count.crawls++;
    for (const detail of await world.ledger.look()) world.breach(PROMISE.nothingLost, detail);
  },
};

const interruptedCrawl: Action = {
  name: 'crawl, Ctrl-C',
  weight: 8,
  async run(world) {
    const { code, stderr } = await afterSomeRequests(world, crawlCommand(world), 'SIGINT');
    // Before its handler is in place the signal ends the process.
    if (code !== 130 && code !== 0 && code !== undefined)
      world.breach(PROMISE.message, `Ctrl-C ended with ${code}: ${stderr.slice(-300)}`);
    checkMessages(world, 'archive', { code, stderr });
    world.count.interrupts++;
    for (const detail of await world.ledger.look()) world.breach(PROMISE.nothingLost, detail);
  },
};

const wholeCrawl: Action = {
  name: 'crawl, to its end',
  weight: 8,
  async run(world) {
    const command = crawlCommand(world);
    const finished = await spawnDaguerre(command).ended;
    world.count.crawls++;
    const { code, stderr } = finished;
    if (code !== 0) return world.breach(PROMISE.resumes, `exit code ${code}: ${stderr.slice(-300)}`);
    const report = finished.json<Report>();
    if (report.state !== 'finished' || report.failed !== 0 || report.pending !== 0)
      world.breach(PROMISE.resumes, JSON.stringify(report));
    for (const detail of await world.ledger.look()) world.breach(PROMISE.nothingLost, detail);
    await checkOnce(world, report);
    await checkReplay(world);
    world.site.publish();
  },
};

interface Report {
  readonly crawl: number;
  readonly state: string;
  readonly failed: number;
  readonly pending: number;
  readonly warcs: readonly string[];
}

/** Through all the kills of a crawl, each page has one capture; the browser asks for pictures with every page. */
async function checkOnce(world: World, { crawl, warcs }: Report): Promise<void> {
  const seen = new Set<string>();
  for (const { file, url, type } of await capturesOf(world.ledger.folder)) {
    if (!warcs.includes(file) || !/\/(?:p\d+)?$/.test(url) || !url.startsWith('http')) continue;
    if (type !== 'response' && type !== 'revisit') continue;
    if (seen.has(url)) world.breach(PROMISE.once, `${url} in crawl ${crawl}`);
    seen.add(url);
  }
}

export const CRAWL_ACTIONS: readonly Action[] = [killedCrawl, interruptedCrawl, wholeCrawl];
