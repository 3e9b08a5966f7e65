import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HOUR, START, visitEditions } from '../../../test/visited-archive.ts';
import { openForWriting } from '../open/open-archive.ts';
import { Upkeep } from './upkeep.ts';
import { WatchNotes } from './watch-notes.ts';

it('records that outgrow their room an hour after a look, and none may go => told, once', async () => {
  const archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
  await visitEditions(archive, [{ '/': '<title>a</title>one' }, { '/': '<title>a</title>two' }]);
  const open = await openForWriting({ archive }, 'test');
  try {
    const told: string[] = [];
    const notes = new WatchNotes((sentence) => told.push(sentence));
    const options = {
      storage: 1e9,
      onNote: () => {},
      onStanding: (about: string, sentence: string) => notes.note(about, sentence),
    };
    const now = START + 100 * HOUR;
    const upkeep = new Upkeep(open, now, options);
    await upkeep.thin(now);
    expect(told).toEqual([]);
    options.storage = 100;
    for (const hour of [1, 2, 3]) await upkeep.thin(now + hour * HOUR);
    expect(told).toEqual([
      expect.stringMatching(/^The records take \d+ bytes more than budget\.storage allows/),
    ]);
    expect(notes.all).toEqual(told);
    options.storage = 1e9;
    await upkeep.thin(now + 4 * HOUR);
    expect(notes.all).toEqual([]);
  } finally {
    await open.close();
    await rm(archive, { recursive: true, force: true });
  }
});
