import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveInfo } from '../../src/server/api-types.ts';
import { startEntrance, startHub } from '../hub.ts';
import { complaints, daguerre, spawnDaguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { type LivingSite, startLivingSite } from './living-site.ts';

let site: LivingSite;
let archive: string;
let config: string;

beforeEach(async () => {
  site = await startLivingSite();
  archive = join(await temporaryFolder(), 'archive');
  config = join(await temporaryFolder(), 'watch.yaml');
});
afterEach(() => site.close());

const DEFAULTS = 'defaults: { render: never, delay: 0s, allowPrivate: true, attempts: 1 }';

async function configure(
  more: { readonly budget?: string; readonly site?: string; readonly top?: string } = {},
) {
  await writeFile(
    config,
    `budget: { ${more.budget ?? 'requestsPerHour: 36000'} }
${DEFAULTS}
round: 1s
${more.top ?? ''}
sites:
  - url: ${site.url}/
${(more.site ?? '').replace(/^/gm, '    ')}
`,
  );
}

const watching = (...more: readonly string[]): string[] => [
  ...['watch', '--config', config, '--archive', archive, '--no-serve', '--json'],
  ...more,
];

/** Until it holds, or the test gives up. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(50);
}

const versionsOf = (path: string): Promise<number> =>
  withCatalog(archive, async (catalog) => {
    let count = 0;
    for await (const { type } of catalog.captures({ url: `${site.url}${path}` }))
      if (type === 'response') count++;
    return count;
  });

describe('an archive that runs by itself', { timeout: 120_000 }, () => {
  it('an empty archive => the site is captured, then what changes is found, stored and learnt from', async () => {
    await configure();
    const running = spawnDaguerre(watching());
    await running.said('"kind":"captured"');
    expect(await versionsOf('/p3')).toBe(1);
    site.change('/p3');
    await until(async () => (await versionsOf('/p3')) === 2);
    site.change('/p99');
    // Somebody links to it: the front page names all pages there are.
    site.change('/');
    await until(async () => (await versionsOf('/p99')) === 1);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    const visits = stdout
      .split('\n')
      .flatMap((line) => (line.includes('"kind":"visit"') ? [JSON.parse(line)] : []));
    expect(visits).toContainEqual(expect.objectContaining({ url: `${site.url}/p3`, outcome: 'changed' }));
    expect(await complaints(archive)).toEqual([]);
  });

  it('a feed announces a hub, a callback is configured => subscribed, intent verified, deliveries taken', async () => {
    const hub = await startHub();
    const entrance = await startEntrance();
    try {
      site.hub = hub.url;
      await configure({
        site: `feeds: ['${site.url}/feed.xml']`,
        top: `websub: { callback: '${entrance.url}/websub', port: 0 }`,
      });
      const running = spawnDaguerre(watching());
      entrance.leadsTo(Number(/port (\d+) of/.exec(await running.said('Hubs reach this watch at'))?.[1]));
      await until(() => hub.subscribers.some(({ verified }) => verified === 200));
      const asked = site.timesAsked('/feed.xml');
      expect(await hub.publish(`${site.url}/feed.xml`)).toBe(202);
      await until(() => site.timesAsked('/feed.xml') > asked);
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
    } finally {
      await hub.close();
      await entrance.close();
    }
  });

  it('forced pages, and a ping => visited when they are due, and whoever is not watched is told so', async () => {
    await configure({ budget: 'requestsPerHour: 7200', site: "pages: { every: 2s, of: ['/p1'] }" });
    const running = spawnDaguerre(watching());
    await running.said('"kind":"captured"');
    const before = site.timesAsked('/p1');
    await until(() => site.timesAsked('/p1') >= before + 2);
    const ping = ['ping', `${site.url}/p5`, '--archive', archive, '--by', 'the editors', '--json'];
    const asked = site.timesAsked('/p5');
    const { code, json } = await daguerre(ping);
    expect([code, json()]).toEqual([0, { heard: [`${site.url}/p5`], unwatched: [] }]);
    await until(() => site.timesAsked('/p5') > asked);
    const elsewhere = await daguerre(['ping', 'http://127.0.0.2:9/', '--archive', archive]);
    expect([elsewhere.code, elsewhere.stdout]).toEqual([2, 'Not watched: http://127.0.0.2:9/\n']);

    // The web page of another process is told whether somebody would hear it.
    const ports = ['--port', '0', '--replay-port', '0', '--json'];
    const beside = spawnDaguerre(['serve', '--archive', archive, ...ports]);
    const { url } = JSON.parse(await beside.said('}\n')) as { url: string };
    const told = async () => ((await (await fetch(`${url}/api/archive`)).json()) as ArchiveInfo).watching;
    expect(await told()).toBe(true);
    running.child.kill('SIGINT');
    await running.ended;
    expect(await told()).toBe(false);
    beside.child.kill('SIGINT');
    await beside.ended;
  });

  it('a configuration that cannot be used => told with its line, and the old one goes on', async () => {
    await configure({ site: "pages: { every: 2s, of: ['/p1'] }" });
    const running = spawnDaguerre(watching());
    await running.said('"kind":"captured"');
    await writeFile(config, 'budget: { requestsPerHour: 6 }\nsites:\n  - url: nowhere\n    often: yes\n');
    await running.said('watch.yaml:4: sites.0.often: unknown; a site takes');
    const before = site.timesAsked('/p1');
    await until(() => site.timesAsked('/p1') >= before + 2);
    await configure({ budget: 'requestsPerHour: 0' });
    await running.said('was read again');
    await wait(1500);
    const paused = site.asked.length;
    await wait(3000);
    expect(site.asked.length).toBe(paused);
    running.child.kill('SIGINT');
    await running.ended;
  });

  it('killed in the middle of a round, and begun again => each page of it once, nothing lost', async () => {
    await configure({ site: 'workers: 1' });
    const running = spawnDaguerre(watching());
    await running.said('"kind":"captured"');
    for (let number = 1; number <= 6; number++) site.change(`/p${number}`);
    site.delay = 300;
    const before = site.asked.length;
    await until(() => site.asked.length >= before + 2);
    running.child.kill('SIGKILL');
    await running.ended;
    site.delay = 0;
    const again = spawnDaguerre(watching('--for', '6s'));
    const { code } = await again.ended;
    expect(code).toBe(0);
    const held = await Promise.all(['/p1', '/p2', '/p3', '/p4', '/p5', '/p6'].map(versionsOf));
    expect(held).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await complaints(archive)).toEqual([]);
    const rounds = await withCatalog(archive, (catalog) => catalog.crawls());
    expect(rounds.filter(({ state }) => state !== 'finished')).toEqual([]);
  });

  it('--plan => what would be visited and why, and nothing is asked for', async () => {
    await configure();
    const first = await daguerre(watching('--for', '3s'));
    expect(first.code).toBe(0);
    const asked = site.asked.length;
    const { code, stdout } = await daguerre(['watch', '--config', config, '--archive', archive, '--plan']);
    expect(code).toBe(0);
    expect(stdout).toContain(`${site.url}/`);
    expect(site.asked.length).toBe(asked);
  });

  it('a page that is gone, a rule, and a webhook that is down at first => told once it is up, under one id', async () => {
    const received: { id: string; body: { rule: string; url: string } }[] = [];
    let isUp = false;
    const hook = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        if (isUp) received.push({ id, body: JSON.parse(text) });
        response.writeHead(isUp ? 204 : 500).end();
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    try {
      const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
      const rule = `alerts: [{ name: gone, when: { gone: true }, send: { webhook: ${address} } }]`;
      await configure({ top: `${rule}\ndelivery: { allowPrivate: true }` });
      const running = spawnDaguerre(watching());
      await running.said('"kind":"captured"');
      site.remove('/p2');
      await running.said('to be tried again');
      running.child.kill('SIGKILL');
      await running.ended;
      isUp = true;
      const again = spawnDaguerre(watching());
      await until(() => received.length > 0);
      again.child.kill('SIGINT');
      await again.ended;
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
      expect(received[0]?.body).toMatchObject({ rule: 'gone', url: `${site.url}/p2` });
    } finally {
      hook.close();
      hook.closeAllConnections();
    }
  });
});
