/** One Chromium process with its profile folder: started, watched, and removed without leftovers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StorageFull } from '../../ports/record-store.ts';
import { NoBrowser } from '../../ports/renderer.ts';
import { CdpConnection } from './cdp-connection.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { type FoundChromium, HOW_TO_GET_ONE } from './find-chromium.ts';

export interface LaunchOptions {
  readonly chromium: FoundChromium;
  readonly proxy: string | undefined;
  readonly extraFlags: readonly string[] | undefined;
  /** Fills the profile folder before the browser starts. */
  readonly fill?: (profile: string) => Promise<void>;
  /** Opens a visible window at this address; headless if absent. */
  readonly window?: string;
}

export interface BrowserProcess {
  readonly pid: number;
  readonly connection: CdpConnection;
  /** As the browser names itself: `HeadlessChrome/…` is a headless shell, `Chrome/…` the full browser. */
  readonly product: string;
  /** Why the browser runs without its sandbox; undefined when it has one. */
  readonly unsandboxed: string | undefined;
  /** Whether the whole process group holds more bytes of memory; false where the system does not report it. */
  usesMoreThan(bytes: number): Promise<boolean>;
  /** Kills at once, and resolves when every process is gone. Idempotent. */
  close(): Promise<void>;
}

const START_LIMIT = 30 * 1000;
/** Bytes that must be free in /dev/shm: several times what a browser was seen to use there. */
const SHARED_MEMORY = 1024 ** 3;

/** Process groups to kill if this process ends without close(). */
const alive = new Map<number, string>();
let hooked = false;

function killOnExit(): void {
  if (hooked) return;
  hooked = true;
  process.on('exit', () => {
    for (const [pid, profile] of alive) {
      killGroup(pid);
      rmSync(profile, { recursive: true, force: true });
    }
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

export async function launchBrowser(options: LaunchOptions): Promise<BrowserProcess> {
  if (process.getuid?.() === 0) {
    return start(options, 'Chromium refuses its sandbox when it is run as root');
  }
  if (options.chromium.from === 'npm') {
    return start(options, 'the Chromium of @sparticuz/chromium has none');
  }
  try {
    return await start(options, undefined);
  } catch (error) {
    if (!/sandbox|namespace/i.test(String(error))) throw error;
    return start(options, 'this system does not let Chromium set one up');
  }
}

/** Bytes that a profile needs at least. */
const PROFILE_ROOM = 1024 * 1024;

/** Free bytes in the folder; undefined where the system does not report them. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Throws StorageFull. */
async function requireRoom(folder: string, cause?: unknown): Promise<void> {
  const room = await freeBytes(folder);
  if (room !== undefined && room < PROFILE_ROOM) throw new StorageFull(folder, cause);
}

async function start(options: LaunchOptions, unsandboxed: string | undefined): Promise<BrowserProcess> {
  // On a full disk the browser may well start, then die in the middle of a page, which would be blamed on the
  // page.
  await requireRoom(os.tmpdir());
  const profile = await mkdtemp(path.join(os.tmpdir(), 'daguerre-profile-'));
  const { chromium, window } = options;
  try {
    await options.fill?.(profile);
  } catch (error) {
    await rm(profile, { recursive: true, force: true });
    throw error;
  }
  const child = spawn(
    chromium.path,
    chromiumFlags({
      profileDir: profile,
      sandbox: unsandboxed === undefined,
      // A full /dev/shm crashes tabs, and in containers it is often only 64 MB.
      sharedMemory: ((await freeBytes('/dev/shm')) ?? 0) >= SHARED_MEMORY,
      proxy: options.proxy,
      extra: options.extraFlags,
      ...(window !== undefined && { window }),
    }),
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own: killing the group kills the zygotes and renderers as well.
      detached: true,
      env: { ...process.env, ...chromium.env, TZ: 'UTC', LANG: 'en_US.UTF-8' },
    },
  );
  const said = lastWords(child);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const pid = child.pid;
  if (pid === undefined) {
    await rm(profile, { recursive: true, force: true });
    throw new NoBrowser(`${chromium.path} could not be started (${await exited}); ${HOW_TO_GET_ONE}`);
  }
  alive.set(pid, profile);
  killOnExit();
  const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  exited.then((how) => connection.end(`the browser ended: ${how}`)).catch(() => {});

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      killGroup(pid);
      connection.end('the browser was closed');
      await exited;
      alive.delete(pid);
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    })();
    return closing;
  };

  const timer = setTimeout(() => connection.end(`no answer within ${START_LIMIT / 1000} s`), START_LIMIT);
  try {
    const { product } = await connection.browser.send('Browser.getVersion');
    return {
      pid,
      connection,
      product,
      unsandboxed,
      usesMoreThan: (bytes) => groupUsesMoreThan(pid, bytes),
      close,
    };
  } catch (error) {
    await close();
    await requireRoom(path.dirname(profile), error);
    throw new NoBrowser(
      `${chromium.path} did not start: ${String(error)}; ${HOW_TO_GET_ONE}\n${said()}`.trimEnd(),
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The end of what the browser wrote to stderr, for the message when it does not start. */
function lastWords(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (chunk: string) => {
    text = (text + chunk).slice(-2000);
  });
  return () => text;
}

/** Bytes of a page of memory. */
const MEMORY_PAGE = 4096;

/**
 * Memory that processes share counts once, split among them (PSS). The system walks through all of their memory to tell it, 18 ms for
 * a browser of eight processes; the resident pages, which it knows, are never less, and mostly few enough.
 */
async function groupUsesMoreThan(group: number, limit: number): Promise<boolean> {
  const resident = new Map<string, number>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '');
    // Field 5 is the process group, field 24 the resident pages; the name in parentheses may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) === group) resident.set(entry, Number(fields[21]) * MEMORY_PAGE);
  }
  if (sum(resident.values()) <= limit) return false;
  const shares: number[] = [];
  for (const [entry, bytes] of resident) {
    const rollup = await readFile(`/proc/${entry}/smaps_rollup`, 'latin1').catch(() => '');
    const share = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
    shares.push(share === undefined ? bytes : Number(share) * 1024);
  }
  return sum(shares) > limit;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
