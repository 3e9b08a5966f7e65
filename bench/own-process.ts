import { spawnSync } from 'node:child_process';

/** Milliseconds of processor time that `run` takes. */
export function cpuMillis(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What the file prints as JSON with `--one SIZE`, run in a process of its own so that its memory is its own. */
export function inOwnProcess<Figures>(file: string, size: string, rounds: string): Figures {
  const args = [...process.execArgv, file, '--one', size, '--rounds', rounds];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${file} with ${size} pages ended with exit code ${status}`);
  return JSON.parse(stdout) as Figures;
}
