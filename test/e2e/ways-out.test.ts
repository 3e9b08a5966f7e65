import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startSocksProxy } from '../loopback-proxies.ts';
import { daguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

/** What is resolved, checked and passed on: src/capture/http/proxied-connect.test.ts. */
it('a proxy that dies in the middle => faults of the visits, the rest captured, its credentials nowhere', async () => {
  const archive = await temporaryFolder();
  const direct = await startSite({ '/': page('Direct') }, '127.0.0.2');
  const site = await startSite((path) => {
    if (path === '/') return page('One', ['/two']);
    // The connections of the crawl break, and no new ones come about.
    if (path === '/two') void proxy.close();
    return undefined;
  });
  const proxy = await startSocksProxy(site.port);
  try {
    const given = `127.0.0.1=socks5://me:canary-of-the-proxy@127.0.0.1:${proxy.port}`;
    const { code, stdout, stderr, json } = await daguerre(
      [
        ...['archive', `${site.url}/`, `${direct.url}/`, '--archive', archive, '--json', '--allow-private'],
        ...['--delay', '0', '--attempts', '1', '--no-robots', '--proxy', 'env:WAY'],
      ],
      { env: { WAY: given } },
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject({ captured: 2, failed: 1 });
    expect(proxy.asked).toContain(`127.0.0.1:${site.port}`);
    const [crawl] = await withCatalog(archive, (catalog) => catalog.crawls());
    expect(crawl?.spec.ways).toEqual([{ hosts: '127.0.0.1', proxy: `socks5://127.0.0.1:${proxy.port}` }]);
    const [visit] = await withCatalog(archive, (catalog) => catalog.visits({ outcome: 'failed' }));
    expect(visit?.url).toBe(`${site.url}/two`);
    expect(['proxy-failed', 'connection-failed']).toContain(visit?.fault?.kind);
    let text = stdout + stderr;
    for (const name of await readdir(archive, { recursive: true })) {
      const bytes = await readFile(join(archive, name)).catch(() => Buffer.alloc(0));
      text += (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    }
    expect(text.includes('canary-of-the-proxy')).toBe(false);
    expect(text.includes(`reached through proxies: 127.0.0.1: socks5://127.0.0.1:${proxy.port}`)).toBe(true);
  } finally {
    await Promise.all([site.close(), direct.close(), proxy.close()]);
  }
});
