import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOutbox } from '../alert-writer.ts';
import { startHook } from '../loopback-hook.ts';
import { temporaryFolder } from './daguerre.ts';

const KILLS = 6;

test(`${KILLS} kills while alerts are stored and sent => each was received, under its own id`, async () => {
  const file = join(await temporaryFolder(), 'catalog.sqlite');
  const hook = await startHook();
  const script = join(import.meta.dirname, '../alert-writer.ts');
  try {
    for (let run = 0; run < KILLS; run++) {
      const child = spawn(process.execPath, ['--import', 'tsx', script, file, hook.url, String(run)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = run * 2 + 1;
      let stored = 0;
      for await (const chunk of child.stdout) {
        stored += String(chunk).split('\n').length - 1;
        // In another place of its loop each time.
        if (stored >= lines) break;
      }
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    const { catalog, sender } = await openOutbox(file, hook.url);
    while ((await sender.sendDue(Date.now())).sent > 0);
    const ids = (await catalog.alerts({})).map(({ id }) => id);
    const received = hook.received.map(({ headers }) => headers['webhook-id'] as string);
    expect(ids.length).toBeGreaterThanOrEqual(KILLS);
    expect(new Set(received)).toEqual(new Set(ids));
    expect(await catalog.outboxCounts()).toMatchObject({
      waiting: 0,
      deliveries: { waiting: 0, 'given-up': 0 },
    });
    await catalog.close();
  } finally {
    await hook.close();
  }
});
