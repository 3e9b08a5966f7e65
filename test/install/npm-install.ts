import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Installation {
  /** The folder it was installed in; empty before. */
  readonly folder: string;
  /** The installed package. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Bytes on disk of everything that was installed but the browser. */
  readonly size: number;
  npx(...args: readonly string[]): Promise<Ended>;
  remove(): Promise<void>;
}

/** `npm pack` here, `npm install` of that file in an empty folder, with an empty cache, as on another machine. */
export async function installTarball(): Promise<Installation> {
  const root = await mkdtemp(join(tmpdir(), 'daguerre-install-'));
  const folder = join(root, 'elsewhere');
  await mkdir(folder);
  const env = shellOf(root);
  const pack = await run('npm', ['pack', '--json', '--pack-destination', root], REPOSITORY, env);
  if (pack.code !== 0) throw new Error(`npm pack: ${pack.stderr}`);
  const [file] = (await readdir(root)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(folder, 'package.json'), '{}');
  const install = await run('npm', ['install', join(root, file ?? '')], folder, env);
  if (install.code !== 0) throw new Error(`npm install: ${install.stderr}`);
  const modules = join(folder, 'node_modules');
  return {
    folder,
    home: join(modules, 'daguerre'),
    env,
    size: (await sizeOf(modules)) - (await sizeOf(join(modules, '@sparticuz'))),
    npx: (...args) => run('npx', ['--no-install', 'daguerre', ...args], folder, env),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** As in a user's shell: nothing that `npm run` set, and caches of its own. */
function shellOf(root: string): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_)/i.test(name));
  return {
    ...Object.fromEntries(plain),
    npm_config_cache: join(root, 'npm'),
    XDG_CACHE_HOME: join(root, 'cache'),
  };
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  try {
    const done = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, ...done };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).blocks * 512;
  }
  return bytes;
}
