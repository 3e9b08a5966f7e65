import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaints, daguerre, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** Begun from the web page alone. */
let site: SmallSite;
beforeAll(async () => {
  site = await startSite({ '/': page('Home') });
});
afterAll(() => site.close());

const PORTS = ['--port', '0', '--replay-port', '0', '--json'];

it('serve --new in an empty folder => an archive without captures, that takes its first site', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  await mkdir(archive);
  await writeFile(join(folder, 'crawls.yaml'), 'allowPrivate: true\ndelay: 0\nrender: never\n');
  await writeFile(join(folder, 'server.yaml'), 'crawls: crawls.yaml\n');
  const serve = ['serve', '--archive', archive, '--config', join(folder, 'server.yaml'), ...PORTS];
  const refused = await daguerre(serve);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('serve --new')]);
  for (const round of [1, 2]) {
    const running = spawnDaguerre([...serve, '--new']);
    const said = await running.said('}\n');
    expect(said.includes('Made an empty archive')).toBe(round === 1);
    const { url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as {
      url: string;
    };
    const sites = async () => ((await (await fetch(`${url}/api/sites`)).json()) as { rows: unknown[] }).rows;
    expect(await sites()).toHaveLength(round - 1);
    if (round === 1) {
      const begun = await fetch(`${url}/api/crawls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ urls: [`${site.url}/`] }),
      });
      expect([begun.status, await begun.json()]).toMatchObject([202, { crawl: 1 }]);
      await expect.poll(sites, { timeout: 20_000 }).toHaveLength(1);
    }
    running.child.kill('SIGINT');
    await running.ended;
  }
  expect(await complaints(archive)).toEqual([]);
}, 60_000);

it('serve --new where other files lie => no archive is made among them', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'letter.txt'), 'dear');
  const { code, stderr } = await daguerre(['serve', '--archive', folder, '--new', ...PORTS]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no archive at')]);
});
