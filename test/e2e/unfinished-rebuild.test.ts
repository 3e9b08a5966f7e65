import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteCatalog } from '../../src/catalog/engines/sqlite.ts';
import { isBeingWritten } from '../../src/storage/archive-lock.ts';
import { capturesOf, complaints, daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

const PAGES = 60;
const links = Array.from({ length: PAGES - 1 }, (_, n) => `/p${n + 1}`);
const site = (path: string) =>
  path === '/' ? page('Home', links) : /^\/p\d+$/.test(path) ? { body: page(path), after: 5 } : undefined;

async function newArchive(url: string) {
  const archive = await temporaryFolder();
  return { archive, command: ['archive', url, '--archive', archive, ...FAST] };
}

it.each([
  ['reindex', (archive: string) => ['reindex', '--archive', archive, '--json']],
  ['the crawl goes on', undefined],
] as const)(
  'a rebuild is killed while a crawl is unfinished, then %s => nothing of that crawl is lost',
  async (_, next) => {
    const server = await startSite(site);
    try {
      const { archive, command } = await newArchive(`${server.url}/`);
      const running = spawnDaguerre(command);
      await server.seen(25);
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
      const before = (await capturesOf(archive)).map(({ recordId }) => recordId);
      expect(before.length).toBeGreaterThan(5);

      // What `reindex` does first, and all it does when it is killed then.
      const catalog = await openSqliteCatalog(join(archive, 'catalog.sqlite'));
      await catalog.clearDerived();
      await catalog.close();

      const { code } = await daguerre(next?.(archive) ?? command);
      expect(code).toBe(0);
      const after = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
      expect(before.filter((id) => !after.has(id))).toEqual([]);
      expect(await complaints(archive)).toEqual([]);
    } finally {
      await server.close();
    }
  },
);

it('a record file of another archive is copied in, with the number of an unfinished crawl => it is indexed', async () => {
  const server = await startSite(site);
  try {
    const { archive, command } = await newArchive(`${server.url}/`);
    const running = spawnDaguerre(command);
    await server.seen(25);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const other = await temporaryFolder();
    await daguerre(['archive', `${server.url}/`, '--archive', other, ...FAST]);
    const [file = ''] = await readdir(join(other, 'warc'));
    expect(file).toMatch(/^main-1-/);
    // Both crawls may have begun in the same second, and then their files have one name.
    const name = 'main-1-20200229120000-00000.warc.gz';
    await copyFile(join(other, 'warc', file), join(archive, 'warc', name));

    expect((await daguerre(command)).code).toBe(0);
    const held = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
    const missing = (await capturesOf(other)).filter(({ recordId }) => !held.has(recordId));
    expect(missing).toEqual([]);
  } finally {
    await server.close();
  }
});

const READERS = (archive: string): readonly (readonly string[])[] => [
  ['verify', '--archive', archive],
  ['sites', 'list', '--archive', archive],
  ['why', 'http://127.0.0.1/', '--archive', archive],
  ['export', '--archive', archive, '--format', 'site-delta', '--out', join(archive, 'delta.xml')],
  ['export', '--archive', archive, '--out', join(archive, 'out.wacz')],
];

it('reindex is killed with -9 at several moments => readers say so until it is brought to its end', {
  timeout: 300_000,
}, async () => {
  const server = await startSite(site);
  try {
    const { archive, command } = await newArchive(`${server.url}/`);
    expect((await daguerre(command)).code).toBe(0);
    const whole = (await capturesOf(archive)).length;
    const reindex = ['reindex', '--archive', archive, '--json'];
    let interrupted = 0;
    for (let after = 0; after < 4 || (interrupted === 0 && after < 40); after++) {
      const running = spawnDaguerre(reindex);
      let hasEnded = false;
      void running.ended.then(() => {
        hasEnded = true;
      });
      // On a busy machine it may be over before anybody looked.
      await marked(archive, () => hasEnded);
      await new Promise((resolve) => setTimeout(resolve, (after % 4) * 15));
      running.child.kill('SIGSTOP');
      const isMarked = await isUnfinished(archive);
      const beside = await daguerre(['verify', '--archive', archive]);
      running.child.kill('SIGKILL');
      await running.ended;
      if (!isMarked) continue;
      interrupted++;
      expect(beside).toMatchObject({ code: 5, stderr: expect.stringContaining('is being rebuilt') });
      for (const reader of READERS(archive).slice(0, interrupted === 1 ? undefined : 2)) {
        const { code, stderr } = await daguerre([...reader]);
        expect({ reader: reader[0], code, stderr }).toMatchObject({
          code: 6,
          stderr: expect.stringContaining("run 'daguerre reindex'"),
        });
      }
    }
    expect(interrupted).toBeGreaterThan(0);
    // Any command that writes brings it to its end as well.
    expect(
      (await daguerre(['decide', `${server.url}/`, '--in', '--why', 'x', '--by', 'y', '--archive', archive]))
        .code,
    ).toBe(0);
    expect(await complaints(archive)).toEqual([]);
    expect((await capturesOf(archive)).length).toBeGreaterThanOrEqual(whole);
  } finally {
    await server.close();
  }
});

async function isUnfinished(archive: string): Promise<boolean> {
  const catalog = await openSqliteCatalog(join(archive, 'catalog.sqlite'), { readonly: true });
  try {
    return await catalog.isRebuilding();
  } finally {
    await catalog.close();
  }
}

async function marked(archive: string, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded() && !(isBeingWritten(archive) && (await isUnfinished(archive))))
    await new Promise((resolve) => setTimeout(resolve, 2));
}
