import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { daguerre, FAST, type Finished, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

/**
 * A workplace: everything that commands read and write, in one folder, so that a fault can be put under each part.
 *
 *   archive/  two crawls with a browser, a certificate and its key
 *   given/    files to be read
 *   out/      for what is written
 *   tmp/      TMPDIR
 */
export interface Workplace {
  readonly root: string;
  readonly archive: string;
  /** Where the archived page lies. */
  readonly url: string;
  readonly cache: string;
}

/** Made once per test file; cases work on copies of it. The archived site stays up until `close`. */
export async function makeWorkplace(): Promise<Workplace & { close(): Promise<void> }> {
  const root = await temporaryFolder();
  const archive = join(root, 'archive');
  for (const folder of ['given/set/site', 'given/versions/page', 'out', 'tmp'])
    await mkdir(join(root, folder), { recursive: true });
  const site = await startSite({ '/': page('Home', ['/a']), '/a': page('A') });
  const url = `${site.url}/`;
  const crawl = ['archive', url, '--archive', archive, '--allow-private', '--delay', '0', '--json'];
  await succeed(['archive', url, '--archive', join(root, 'other'), ...FAST]);
  await succeed([...crawl, '--revisit', 'blur']);
  site.become({ '/': page('Home', ['/a', '/b'], 'Something else is told here now. '.repeat(9)) });
  await succeed([...crawl, '--page-limit', '1']);
  const given = (name: string, text: string) => writeFile(join(root, 'given', name), text);
  await succeed(['export', '--archive', join(root, 'other'), '--out', join(root, 'given/records.wacz')]);
  const records = spawnSync('sh', ['-c', `cat ${join(root, 'other/warc')}/*.warc.gz`]).stdout;
  await writeFile(join(root, 'given/records.warc.gz'), records);
  await succeed([
    'key',
    'export',
    '--public',
    '--archive',
    join(root, 'other'),
    '--out',
    join(root, 'given/key.pem'),
  ]);
  await rm(join(root, 'other'), { recursive: true });
  await given('old.html', page('Old', ['/x']));
  await given('new.html', page('New', ['/y'], 'Another text. '.repeat(20)));
  await given('set/site/page.blocks.html', '<!doctype html><p data-block="1">One block of text.</p>');
  await given('versions/page/20260301000000.html', page('Old'));
  await given('versions/page/20260302000000.html', page('New'));
  await given('crawl.yaml', `seeds: [${url}]\ndelay: 0\nallowPrivate: true\nrender: never\nattempts: 1\n`);
  await given('changes.tsv', '/a\t1000\t1\n/a\t5000\t0.5\n/b\t3000\t1\n');
  await given('captures.tsv', '/a\t2000\n/b\t4000\n');
  await given('rates.tsv', '/a\t0.1\n/b\t0.2\n');
  await given('graph.tsv', '/a\t/b\n');
  return { root, archive, url, cache: `${root}-cache`, close: () => site.close() };
}

async function succeed(args: readonly string[]): Promise<void> {
  const { code, stderr } = await daguerre(args);
  if (code !== 0) throw new Error(`daguerre ${args.join(' ')}: exit code ${code}: ${stderr}`);
}

/** A copy that a case may break. */
export async function copyWorkplace({ root, url, cache }: Workplace): Promise<Workplace> {
  const copy = `${root}-${randomUUID().slice(0, 8)}`;
  await cp(root, copy, { recursive: true, preserveTimestamps: true });
  return { root: copy, archive: join(copy, 'archive'), url, cache };
}

export async function removeWorkplace({ root }: Workplace): Promise<void> {
  await chmod(root, 0o755);
  await rm(root, { recursive: true, force: true });
}

/** Faults that the system makes, as shell commands before the command itself; `$W` is the workplace. */
export const SYSTEM_FAULTS = {
  /** A disk that holds the whole workplace and not one page more. */
  full: onFullDisk(0),
  'read-only archive': readOnly('archive'),
  'read-only out': readOnly('out'),
  'read-only tmp': readOnly('tmp'),
} as const;

/** The same disk with some KiB left. */
export const nearlyFull = (room: number): string => onFullDisk(room);

function onFullDisk(room: number): string {
  return [
    'cp -a "$W" "$W.kept"',
    'mount -t tmpfs -o size=32m tmpfs "$W"',
    'cp -a "$W.kept/." "$W"',
    'rm -r "$W.kept"',
    `head -c ${room * 1024} /dev/zero > "$W/room"`,
    '{ dd if=/dev/zero of="$W/filler" bs=64k; dd if=/dev/zero bs=1k >> "$W/filler"; } 2>/dev/null',
    'rm "$W/room"',
    'cd "$W"',
  ].join('\n');
}

function readOnly(part: string): string {
  return `mount --bind "$W/${part}" "$W/${part}" && mount -o remount,bind,ro "$W/${part}"`;
}

/** Mounting takes a user namespace of one's own, which not every system gives. */
export const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0;

/** Root may read everything: a command must lose that right for permissions to bind it. */
export const canDropRights =
  process.getuid?.() !== 0 ||
  spawnSync('setpriv', ['--bounding-set=-all', '--inh-caps=-all', 'true']).status === 0;
export const WITHOUT_RIGHTS =
  process.getuid?.() === 0 ? 'exec setpriv --bounding-set=-all --inh-caps=-all "$@"' : ':';

/** Runs a command in the workplace under a fault of the system; one that serves is stopped once it does. */
export async function runUnder(
  setup: string,
  { root, cache }: Workplace,
  args: readonly string[],
): Promise<Finished> {
  const chromium = await findChromium();
  const env = {
    W: root,
    // Else it would be unpacked into the workplace for every case.
    CHROME_PATH: chromium.path,
    ...chromium.env,
    TMPDIR: join(root, 'tmp'),
    // Not in the workplace: filter lists would be compiled anew for every case.
    XDG_CACHE_HOME: cache,
    DAGUERRE_ARCHIVE: join(root, 'archive'),
  };
  const mounts = setup.includes('mount ');
  const running = spawnDaguerre(args, {
    cwd: root,
    env: mounts ? { ...env, SETUP: setup } : env,
    ...(mounts && { shellSetup: `exec unshare -rm bash -c 'eval "$SETUP"; exec "$@"' bash "$@"` }),
    ...(!mounts && setup !== '' && { shellSetup: setup }),
  });
  running.child.stdin.end();
  if (args[0] === 'serve' || (args[0] === 'demo' && !args.includes('--no-serve'))) {
    await running.said('http://').catch(() => {});
    running.child.kill('SIGINT');
  }
  return running.ended;
}
