import { expect, test } from 'vitest';
import { quietIn } from './settle-step.ts';

const still = { begin: 1000, lastActivity: 900, active: false, look: { scripts: 0, sinceChange: null } };

test.each([
  ['no script, nothing going on', 1000, {}, 0],
  [
    'scripts => a tenth of a second from the load event',
    1000,
    { look: { scripts: 1, sinceChange: null } },
    100,
  ],
  ['the same, later', 1070, { look: { scripts: 1, sinceChange: null } }, 30],
  [
    'scripts, and an answer that came since',
    1090,
    { lastActivity: 1080, look: { scripts: 1, sinceChange: null } },
    90,
  ],
  [
    'requests after the load event => half a second from the last',
    1300,
    { active: true, lastActivity: 1200 },
    400,
  ],
  [
    'a DOM that has changed => half a second from the change',
    1400,
    { look: { scripts: 1, sinceChange: 100 } },
    400,
  ],
  ['the same, long ago', 1700, { look: { scripts: 1, sinceChange: 600 } }, -100],
  ['a DOM that changes for ever => a second and a half', 2450, { look: { scripts: 1, sinceChange: 1 } }, 50],
  ['the same, at its end', 2500, { look: { scripts: 1, sinceChange: 1 } }, 0],
])('%s', (_, now, more, wait) => {
  expect(quietIn(now, { ...still, ...more })).toBe(wait);
});
