import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../src/access/replay-url.ts';
import { capturesOf, daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

let site: SmallSite;
let archive: string;
/** As it is given, without its scheme. */
let address: string;
let times: number[];

beforeAll(async () => {
  archive = join(await temporaryFolder(), 'archive');
  site = await startSite({ '/@user': page('Weather', [], 'It rains in the north and in the south.') });
  address = `127.0.0.1:${site.port}/@user`;
  const args = ['archive', address, '--archive', archive, ...FAST];
  expect((await daguerre(args)).code).toBe(0);
  site.become({ '/@user': page('Weather', [], 'The sun shines in the north and in the south.') });
  expect((await daguerre(args)).code).toBe(0);
  times = (await capturesOf(archive))
    .filter(({ url, type }) => url.endsWith('/@user') && type !== 'resource')
    .map(({ at }) => at);
});

afterAll(() => site.close());

const diff = (before: string, after: string) =>
  daguerre(['diff', `${address}@${before}`, `${address}@${after}`, '--archive', archive, '--json']);
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe('captures by their names', () => {
  it('@first and @last, timestamps, a minute => the versions that are meant', async () => {
    const expected = (await diff('first', 'last')).json<{ importance: number; operations: unknown[] }>();
    expect(expected.importance).toBeGreaterThan(0);
    const [first = 0, last = 0] = times;
    const { json } = await diff(formatTimestamp(first), new Date(last).toISOString());
    expect(json<{ operations: unknown[] }>().operations).toEqual(expected.operations);
  });

  it('@<month> => its first capture', async () => {
    const { json } = await diff('first', day(times[0] ?? 0).slice(0, 7));
    expect(json()).toMatchObject({ importance: 0, operations: [] });
  });

  it('nothing at that time => exit code 2, the captures that there are', async () => {
    const { code, stderr } = await diff('1999-03', 'last');
    expect(code).toBe(2);
    expect(stderr).toContain(`there is no capture of http://${address} at 1999-03; the nearest:`);
    for (const at of times) expect(stderr).toContain(`http://${address}@${formatTimestamp(at)}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('a page that is not archived => exit code 2, what is of its site', async () => {
    const other = `127.0.0.1:${site.port}/other@last`;
    const { code, stderr } = await daguerre(['segment', other, '--archive', archive]);
    expect(code).toBe(2);
    expect(stderr).toContain(`among others:\n  http://${address}`);
  });
});
