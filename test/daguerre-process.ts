import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import type { CaptureFact } from '../src/model/capture.ts';
import type { Catalog } from '../src/ports/catalog.ts';
import { readRecords } from '../src/warc/read-records.ts';
import type { WarcRecord } from '../src/warc/warc-record.ts';

/** The built command, as a user runs it: `npm test` builds first. */
export const BIN = fileURLToPath(new URL('../bin/daguerre.js', import.meta.url));

/** For sites on loopback, over HTTP alone, as fast as they answer. */
export const FAST = ['--render', 'never', '--allow-private', '--delay', '0', '--json'] as const;

export interface Finished {
  /** Undefined when a signal ended the process. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of stdout, parsed. */
  json<T = Record<string, unknown>>(): T;
}

export interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Shell commands to run first in the same process, e.g. `ulimit -f 100`. */
  readonly shellSetup?: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Finished>;
  /** Resolves with everything on stdout and stderr so far once it contains the text; rejects at the end. */
  said(text: string): Promise<string>;
  /** Most memory held so far, in bytes; 0 where the system does not tell. */
  peakMemory(): number;
}

const left = new Set<ChildProcessWithoutNullStreams>();

export function killAllDaguerres(): void {
  for (const child of left) child.kill('SIGKILL');
}

export function spawnDaguerre(args: readonly string[], options: SpawnOptions = {}): Running {
  const { cwd, env, shellSetup } = options;
  const given = { ...(cwd !== undefined && { cwd }), env: { ...process.env, ...env } };
  const child =
    shellSetup === undefined
      ? spawn(process.execPath, [BIN, ...args], given)
      : spawn('bash', ['-c', `${shellSetup}; exec "$@"`, 'bash', process.execPath, BIN, ...args], given);
  left.add(child);
  let stdout = '';
  let stderr = '';
  const heard = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
    for (const listener of heard) listener();
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
    for (const listener of heard) listener();
  });
  const ended = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      left.delete(child);
      const json = <T>(): T => {
        const line = stdout.trimEnd().split('\n').at(-1) ?? '';
        if (!line.startsWith('{')) throw new Error(`no JSON on stdout; exit code ${code}: ${stderr}`);
        return JSON.parse(line) as T;
      };
      resolve({ code: code ?? undefined, stdout, stderr, json });
    });
  });
  return {
    child,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const listener = (): void => {
          if ((stdout + stderr).includes(text)) resolve(stdout + stderr);
        };
        heard.add(listener);
        listener();
        void ended.then(() => reject(new Error(`ended without saying '${text}': ${stdout}${stderr}`)));
      }),
    peakMemory() {
      try {
        const line = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        return Number(line?.[1] ?? 0) * 1024;
      } catch {
        return 0;
      }
    },
  };
}

export function daguerre(args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
  const { child, ended } = spawnDaguerre(args, options);
  child.stdin.end();
  return ended;
}

/** What `verify` has to say of an archive; empty when all is well. */
export async function complaints(archive: string): Promise<readonly unknown[]> {
  const { code, stderr, json } = await daguerre(['verify', '--archive', archive, '--json']);
  if (code !== 0 && code !== 6) throw new Error(`verify ended with ${code}: ${stderr}`);
  return json<{ errors: unknown[] }>().errors;
}

export async function withCatalog<T>(archive: string, use: (catalog: Catalog) => Promise<T>): Promise<T> {
  const catalog = await openSqliteCatalog(join(archive, 'catalog.sqlite'), { readonly: true });
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

/** Every capture that the catalog knows, in its order. */
export function capturesOf(archive: string): Promise<CaptureFact[]> {
  return withCatalog(archive, (catalog) => collect(catalog.captures({})));
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Visits each record of an archive; its payload may be read only meanwhile. */
export async function eachRecord(
  archive: string,
  use: (record: WarcRecord, file: string) => void | Promise<void>,
): Promise<void> {
  const folder = join(archive, 'warc');
  for (const file of (await readdir(folder)).sort()) {
    for await (const record of readRecords(join(folder, file), {
      onProblem: ({ offset, reason }) => {
        throw new Error(`${file} at ${offset}: ${reason}`);
      },
    }))
      await use(record, file);
  }
}
