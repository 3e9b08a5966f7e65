/** One measured run of a command: wall-clock time, and processor time of the command and all its children. */
import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface Run {
  /** From start to exit. */
  readonly seconds: number;
  /** User and system time of the process and of every child it waited for. */
  readonly cpuSeconds: number;
  readonly stdout: string;
}

/**
 * Node gives no resource usage of a child, so bash's `time` does. Its report goes to its own descriptor, separate from
 * the command's output.
 */
export async function runCommand(
  command: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    /** Exit codes that do not count as failure; wget ends with 8 after a 404. */
    readonly accept?: readonly number[];
  } = {},
): Promise<Run> {
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" 2>&4 ; } 4>&2 2>&3';
  const started = performance.now();
  const child = spawn('bash', ['-c', script, 'bench', ...command], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const text = ['', '', ''];
  [child.stdout, child.stderr, child.stdio[3]].forEach((stream, index) => {
    // The end of a chatty command's output is enough to explain a failure.
    stream?.on('data', (chunk: Buffer) => {
      text[index] = (text[index] + chunk.toString()).slice(-100_000);
    });
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const elapsed = (performance.now() - started) / 1000;
  if (code !== 0 && !options.accept?.includes(code ?? -1))
    throw new Error(
      `${command.slice(0, 3).join(' ')} ended with exit code ${code}:\n${text[1]?.slice(-2000)}`,
    );
  const [real = Number.NaN, user = Number.NaN, system = Number.NaN] = (text[2] ?? '')
    .trim()
    .split(' ')
    .map(Number);
  return { seconds: Number.isNaN(real) ? elapsed : real, cpuSeconds: user + system, stdout: text[0] ?? '' };
}

/** Total bytes of the files below a folder whose names end in `suffix`. */
export async function bytesBelow(folder: string, suffix: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.filter((name) => name.endsWith(suffix)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
