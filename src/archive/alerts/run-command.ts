import { spawn } from 'node:child_process';
import { DeliveryError } from './channel.ts';

/** Characters of a program's stderr that an error quotes. */
const QUOTED = 300;

/**
 * Runs a program with JSON on its standard input; no shell reads its arguments. Exit code 0 means it accepted the
 * message. Past the time limit it is killed with everything it started.
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  input: string,
  timeLimit: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // A process group of its own, so that what it started ends with it.
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true, shell: false });
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, timeLimit);
    signal.addEventListener('abort', kill, { once: true });
    let said = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (chunk: string) => {
      if (said.length < QUOTED) said += chunk;
    });
    const end = (error?: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      if (error) reject(error);
      else resolve();
    };
    child.on('error', ({ message }) => end(new DeliveryError(`${program} could not be started: ${message}`)));
    child.on('close', (code, by) => {
      if (signal.aborted) return end(signal.reason as Error);
      if (late)
        return end(new DeliveryError(`${program} had not ended after ${timeLimit / 1000} s and was killed`));
      const why = said.replace(/\s+/gu, ' ').trim().slice(0, QUOTED);
      const how = code === null ? `was ended by ${by}` : `ended with ${code}`;
      end(code === 0 ? undefined : new DeliveryError(`${program} ${how}${why === '' ? '' : `: ${why}`}`));
    });
    // A program need not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
