import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { daguerre, type Finished, spawnDaguerre } from '../daguerre-process.ts';
import { checkMessages, checkVerify } from './checks.ts';
import { answersOf } from './ledger.ts';
import { startLongServer } from './long-server.ts';
import { type Action, PROMISE, type World } from './world.ts';

/** Starts a command and kills it within a moment that most such commands outlast. */
async function killed(world: World, command: readonly string[], within: number): Promise<Finished> {
  const running = spawnDaguerre(command);
  await Promise.race([pause(world.random() * within), running.ended]);
  running.child.kill('SIGKILL');
  const finished = await running.ended;
  if (finished.code === undefined) world.count.kills++;
  checkMessages(world, command[0] ?? '', finished);
  return finished;
}

const verify: Action = { name: 'verify', weight: 5, run: (world) => checkVerify(world) };

const imported: Action = {
  name: 'import',
  weight: 6,
  async run(world) {
    const folder = join(world.other, 'warc');
    const files = (await readdir(folder)).filter((name) => name.includes('.warc'));
    const file = files[Math.floor(world.random() * files.length)];
    if (file === undefined) return;
    const command = ['import', join(folder, file), '--archive', world.ledger.folder, '--json'];
    if (world.random() < 0.6) await killed(world, command, 700);
    for (const detail of await world.ledger.look()) world.breach(PROMISE.nothingLost, detail);
    const finished = await daguerre(command);
    world.count.imports++;
    checkMessages(world, 'import', finished);
    if (finished.code !== 0)
      return world.breach(
        PROMISE.others,
        `import of ${file}: ${finished.code} ${finished.stderr.slice(-300)}`,
      );
    for (const detail of await world.ledger.look()) world.breach(PROMISE.nothingLost, detail);
    const again = await daguerre(command);
    if (again.json<{ already: number }>().already !== 1)
      world.breach(PROMISE.once, `import of ${file} a second time: ${again.stdout}`);
  },
};

const exported: Action = {
  name: 'export, import of it elsewhere',
  weight: 3,
  async run(world) {
    const out = join(world.scratch, 'export.wacz');
    const copy = join(world.scratch, 'copy');
    await rm(out, { force: true });
    const command = ['export', '--archive', world.ledger.folder, '--out', out, '--json'];
    if (world.random() < 0.5) {
      await killed(world, command, 900);
      const half = existsSync(out) ? await daguerre(['import', out, '--archive', copy, '--json']) : undefined;
      if (half && half.code !== 0) world.breach(PROMISE.others, `a killed export left ${half.stdout}`);
      await rm(copy, { recursive: true, force: true });
      await rm(out, { force: true });
    }
    const finished = await daguerre(command);
    world.count.exports++;
    if (finished.code !== 0)
      return world.breach(PROMISE.others, `export: ${finished.code} ${finished.stderr.slice(-300)}`);
    const into = await daguerre(['import', out, '--archive', copy, '--json']);
    if (into.code !== 0) world.breach(PROMISE.others, `import of our WACZ: ${into.stderr.slice(-300)}`);
    const ids = new Set((await answersOf(copy)).map(({ recordId }) => recordId));
    for (const { recordId, url } of await answersOf(world.ledger.folder))
      if (!ids.has(recordId))
        world.breach(PROMISE.others, `${url} (${recordId}) is not in the exported WACZ`);
    await rm(copy, { recursive: true, force: true });
  },
};

const reindexed: Action = {
  name: 'reindex',
  weight: 3,
  async run(world) {
    const { folder } = world.ledger;
    const before = (await answersOf(folder)).map(({ recordId }) => recordId);
    const command = ['reindex', '--archive', folder, '--json'];
    const anew = world.random() < 0.3;
    if (anew) {
      // Whoever has the file open would go on reading it.
      await world.server.stop();
      for (const end of ['', '-wal', '-shm']) await rm(join(folder, `catalog.sqlite${end}`), { force: true });
    }
    if (world.random() < 0.6) await killed(world, command, 1200);
    const finished = await daguerre(command);
    world.count.reindexes++;
    checkMessages(world, 'reindex', finished);
    if (finished.code !== 0)
      return world.breach(PROMISE.rebuilt, `reindex: ${finished.code} ${finished.stderr.slice(-300)}`);
    if (anew) world.server = await startLongServer(folder);
    // A crash may have left whole records that were never reported: without the catalog nobody can tell them apart.
    const after = new Set((await answersOf(folder)).map(({ recordId }) => recordId));
    const gone = before.filter((id) => !after.has(id)).length;
    if (gone > 0)
      world.breach(PROMISE.rebuilt, `${gone} of ${before.length} captures are not there any more`);
    for (const detail of await world.ledger.look()) world.breach(PROMISE.nothingLost, detail);
  },
};

export const ARCHIVE_ACTIONS: readonly Action[] = [verify, imported, exported, reindexed];
