import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { type Finished, spawnDaguerre } from './daguerre.ts';
import { makeWorkplace, type Workplace } from './fault-places.ts';
import { type CommandLine, commandLines } from './random-arguments.ts';

/** Command lines per seed; more by the environment, for a night. */
const RUNS = Number(process.env.DAGUERRE_RANDOM_RUNS ?? 60);
const FIXED_SEEDS = [1839, 216176909];
/** Another one each night: what it finds is no fault of the change at hand, so it does not stand in the way of one. */
const RANDOM_SEED = process.env.DAGUERRE_RANDOM_SEED;
/** Processes at once: they mostly load and wait. */
const AT_ONCE = 3;
/** Milliseconds until a command that goes on by itself (a server, a slow crawl) is stopped as by Ctrl-C. */
const PATIENCE = 6_000;

let base: Workplace & { close(): Promise<void> };
beforeAll(async () => {
  base = await makeWorkplace();
  const { root } = base;
  const copy = (from: string, to: string) => cp(join(root, from), join(root, to), { recursive: true });
  const half = async (path: string) =>
    truncate(join(root, path), Math.floor((await stat(join(root, path))).size / 2));
  await copy('archive', 'real');
  await copy('archive', 'cut');
  await half('cut/catalog.sqlite');
  await copy('archive', 'newer');
  new Database(join(root, 'newer/catalog.sqlite')).exec('update schema_version set version = 999').close();
  await copy('archive', 'keyless');
  await writeFile(join(root, 'keyless/keys/keys.json'), '');
  await mkdir(join(root, 'empty'));
  await mkdir(join(root, 'foreign'));
  new Database(join(root, 'foreign/catalog.sqlite')).exec('create table recipes (name text)').close();
  await writeFile(join(root, 'a file'), 'a file');
  await writeFile(join(root, 'given/empty'), '');
  await writeFile(join(root, 'given/half.yaml'), 'seeds: [http://127.0.0.1:1/');
  await copy('given/records.warc.gz', 'given/cut.warc.gz');
  await half('given/cut.warc.gz');
  await copy('given/records.wacz', 'given/cut.wacz');
  await half('given/cut.wacz');
  await rm(join(root, 'archive'), { recursive: true });
});
afterAll(() => base.close());

describe.each(RANDOM_SEED === undefined ? FIXED_SEEDS : [Number(RANDOM_SEED)])(
  'random command lines of seed %s',
  (seed) => {
    it(
      `${seed} => a message and a documented exit code, never a stack; readers change nothing`,
      async () => {
        console.log(`seed ${seed}: DAGUERRE_RANDOM_SEED=${seed} runs these again`);
        const waiting = fc.sample(await commandLines(base.url), { seed, numRuns: RUNS });
        const wrong: string[] = [];
        const work = async (): Promise<void> => {
          for (let line = waiting.shift(); line; line = waiting.shift()) wrong.push(...(await tryOut(line)));
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        expect(wrong).toEqual([]);
      },
      60_000 + RUNS * 10_000,
    );
  },
);

let number = 0;

async function tryOut(line: CommandLine): Promise<readonly string[]> {
  const root = `${base.root}-${number++}`;
  await cp(base.root, root, { recursive: true, preserveTimestamps: true });
  try {
    const before = await fingerprint(root);
    const run = await finish(line, root);
    const after = await fingerprint(root);
    const complaints = [...complaintsAbout(line, run), ...changesBy(line, before, after)];
    const shown = line.args.map((arg) => JSON.stringify(arg.length > 80 ? `${arg.slice(0, 80)}…` : arg));
    return complaints.map(
      (complaint) =>
        `daguerre ${shown.join(' ')}\n  ${complaint}\n  exit code ${run.code}: ${run.stderr.slice(0, 1500)}`,
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function finish({ args }: CommandLine, root: string): Promise<Finished & { stopped: boolean }> {
  const chromium = await findChromium();
  const running = spawnDaguerre(args, {
    cwd: root,
    env: {
      ...chromium.env,
      // Some name a database that is not there.
      DAGUERRE_DATABASE_WAIT: '200ms',
      CHROME_PATH: chromium.path,
      TMPDIR: join(root, 'tmp'),
      XDG_CACHE_HOME: base.cache,
    },
  });
  running.child.stdin.end();
  let stopped = false;
  const timer = setTimeout(() => {
    stopped = true;
    running.child.kill('SIGINT');
  }, PATIENCE);
  try {
    return { ...(await running.ended), stopped };
  } finally {
    clearTimeout(timer);
  }
}

const DOCUMENTED: readonly number[] = Object.values(EXIT).filter((code) => code !== EXIT.internal);
/** The exit code is a verdict, and the output tells about it. */
const WITH_OUTPUT: readonly number[] = [
  EXIT.ok,
  EXIT.nothingCaptured,
  EXIT.damaged,
  EXIT.partial,
  EXIT.interrupted,
];
const STACK =
  /^\s+at .+:\d+|\b(?:Type|Reference|Range|Syntax)Error\b|(?<!net::)\bERR_[A-Z]|UnhandledPromise|\(node:\d+\)/m;

function complaintsAbout(
  { args }: CommandLine,
  { code, stdout, stderr, stopped }: Finished & { stopped: boolean },
) {
  const complaints: string[] = [];
  // A command that only computes has no handler: the signal itself ends it.
  const bySignal = code === undefined && stopped;
  if (!bySignal && !DOCUMENTED.includes(code ?? -1)) complaints.push('the exit code is not documented');
  if (STACK.test(stderr) || STACK.test(stdout)) complaints.push('there is a stack');
  const failed = !bySignal && !WITH_OUTPUT.includes(code ?? -1);
  if (failed) {
    if (stdout !== '') complaints.push(`it failed, and wrote to stdout: ${stdout.slice(0, 200)}`);
    const said = /^(?:daguerre|error): (.+)/m.exec(stderr)?.[1] ?? '';
    if (said.length < 15) complaints.push('there is no message');
    if (/\bundefined\b|\[object |(?<!dev\/)\bnull\b/.test(said)) complaints.push('the message names nothing');
  }
  if (code === 0 && args.includes('--json') && !args.includes('--help')) {
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      try {
        JSON.parse(line);
      } catch {
        complaints.push(`this is not JSON: ${line.slice(0, 200)}`);
      }
    }
  }
  return complaints;
}

const READERS = /^(?:verify|export|report|changes|patterns|query|serve|segment|diff|lab .*)$/;
const FOLDERS = ['real', 'cut', 'newer', 'keyless', 'empty', 'foreign', 'given'];

function changesBy({ command, args }: CommandLine, before: Tree, after: Tree): string[] {
  if (!READERS.test(command) || args.includes('--help')) return [];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `a reader changed ${name}`);
}

type Tree = ReadonlyMap<string, string>;

/** Every file with its content. What SQLite keeps beside a catalog for its readers holds nothing of the archive. */
async function fingerprint(root: string): Promise<Tree> {
  const tree = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = join(root, folder, name);
      if (/-shm$/.test(name) || !(await stat(path)).isFile()) continue;
      const bytes = await readFile(path);
      if (/-wal$/.test(name) && bytes.length === 0) continue;
      tree.set(join(folder, name), createHash('sha256').update(bytes).digest('hex'));
    }
  }
  return tree;
}
