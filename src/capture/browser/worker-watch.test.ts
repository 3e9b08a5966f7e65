import { describe, expect, it } from 'vitest';
import { WorkerWatch } from './worker-watch.ts';

const told = (status: 'new' | 'installing' | 'installed' | 'activated' | 'redundant', running = true) => ({
  versionId: '1',
  status,
  runningStatus: running ? ('running' as const) : ('stopped' as const),
});

describe('a service worker on its way', () => {
  it('no worker => the page waits for none', () => {
    const watch = new WorkerWatch();
    expect([watch.isBusy, watch.lastStep]).toEqual([false, 0]);
  });

  it('new, installing, activated => busy, busy, not busy', () => {
    const watch = new WorkerWatch();
    const busy = (['new', 'installing', 'activated'] as const).map((status, at) => {
      watch.tell([told(status)], at + 1);
      return watch.isBusy;
    });
    expect(busy).toEqual([true, true, false]);
    expect(watch.lastStep).toBe(3);
  });

  it('installed behind another, stopped while installing, redundant => not waited for', () => {
    for (const version of [told('installed'), told('installing', false), told('redundant')]) {
      const watch = new WorkerWatch();
      watch.tell([told('new')], 1);
      watch.tell([version], 2);
      expect(watch.isBusy).toBe(false);
    }
  });
});
