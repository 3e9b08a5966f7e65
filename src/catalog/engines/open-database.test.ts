import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteCatalog } from './sqlite.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  path = join(folder, 'catalog.sqlite');
  await (await openSqliteCatalog(path)).close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Mounting takes a user namespace of one's own, which not every system gives. */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0;
if (!canMount)
  console.warn('skipped: catalogs on read-only and full disks, because nothing can be mounted here');

/** Lists the crawls of the catalog, in a process that sees the folder as the shell commands left it. */
function read(setup: string) {
  const script = `
    import { openSqliteCatalog } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)};
    const catalog = await openSqliteCatalog(process.argv[1], { readonly: true });
    process.stdout.write(JSON.stringify(await catalog.crawls()));
    await catalog.close();`;
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, path];
  const shell = `${setup} && exec "$@"`;
  return spawnSync('unshare', ['-rm', 'sh', '-c', shell, 'sh', ...node], {
    encoding: 'utf8',
    env: { ...process.env, F: folder },
  });
}

describe.skipIf(!canMount)('a catalog that was closed', () => {
  it('on a read-only disk => is read', () => {
    const { stdout, stderr } = read('mount --bind "$F" "$F" && mount -o remount,bind,ro "$F"');
    expect(stderr).toBe('');
    expect(stdout).toBe('[]');
  });

  it('on a full disk => is read', () => {
    const { stdout, stderr } = read(
      'cp -a "$F" "$F.kept" && mount -t tmpfs -o size=1m tmpfs "$F" && cp -a "$F.kept/." "$F" && rm -r "$F.kept" && ' +
        '{ dd if=/dev/zero of="$F/filler" bs=1k 2>/dev/null || true; }',
    );
    expect(stderr).toBe('');
    expect(stdout).toBe('[]');
  });
});
