import { expect, test } from 'vitest';
import { progressLine } from './progress-line.ts';

const PROGRESS = {
  ...{ captured: 2, unchanged: 0, dropped: 0, redirects: 0, failed: 0, resources: 0, skipped: 0 },
  ...{ pending: 7, bytes: 0, rate: 0, timeLeft: 5000 },
};

/** What is written where lines cannot be overwritten. */
function written(progress: Parameters<ReturnType<typeof progressLine>['show']>[0]): string {
  let text = '';
  let now = 0;
  const write = (part: string): boolean => {
    text += part;
    return true;
  };
  const line = progressLine({ isTTY: false, columns: 80, write }, () => now);
  now = 60_000;
  line.show(progress);
  return text;
}

test('a crawl that waits for a host that asked to be left alone => says for which, and how long', () => {
  expect(written(PROGRESS)).toContain('about 5 s for what is known');
  const paused = written({ ...PROGRESS, pause: { host: 'example.org', left: 3_540_000 } });
  expect(paused).toContain('example.org is not asked before 59 min 0 s are over');
  expect(paused).not.toContain('for what is known');
});
