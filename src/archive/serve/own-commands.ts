import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { UserError, type UserErrorKind } from '../user-error.ts';

/** How a command ended, and what it wrote. */
export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly process: number;
  readonly ended: Promise<EndedCommand>;
}

/** Questions computed at once: each takes a processor. */
const AT_ONCE = 2;
/** In milliseconds. */
const PATIENCE = 120_000;

/**
 * Commands of Daguerre itself, each in a process of its own. Crawls need one (a browser that dies must not take the web
 * page along), and so do answers that take seconds to compute, which would block everybody else in the server.
 */
export class OwnCommands {
  readonly #command: readonly string[];
  readonly #running = new Set<ChildProcess>();
  #asked = 0;
  #isClosed = false;

  /** @param command how to run Daguerre: a program and its first arguments */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  start(args: readonly string[]): RunningCommand {
    if (this.#isClosed) throw new Error('the server is closing');
    const [program = '', ...first] = this.#command;
    const child = spawn(program, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running.add(child);
    const ended = new Promise<EndedCommand>((resolve, reject) => {
      child.once('error', reject);
      Promise.all([text(child.stdout), text(child.stderr)]).then(([stdout, stderr]) => {
        const done = (): void => resolve({ code: child.exitCode ?? 1, stdout, stderr });
        if (child.exitCode === null && child.signalCode === null) child.once('exit', done);
        else done();
      }, reject);
    });
    const forget = (): void => void this.#running.delete(child);
    ended.then(forget, forget);
    return { process: child.pid ?? 0, ended };
  }

  /**
   * The JSON that a command prints; a UserError with its complaint where it failed.
   *
   * @param operands came from others, and must not be parsed as flags
   */
  async json(args: readonly string[], operands: readonly string[] = []): Promise<unknown> {
    if (this.#asked >= AT_ONCE)
      throw new UserError('the server is computing other answers: ask again in a moment', 'unreachable');
    this.#asked++;
    const running = this.start([...args, '--json', '--', ...operands]);
    const timer = setTimeout(() => this.#end(running.process, 'SIGKILL'), PATIENCE);
    try {
      const { code, stdout, stderr } = await running.ended;
      // 8: there is an answer, but it is partial.
      if (code !== 0 && code !== 8) throw commandFailure({ code, stderr });
      return JSON.parse(stdout) as unknown;
    } finally {
      clearTimeout(timer);
      this.#asked--;
    }
  }

  /** Running commands are stopped as Ctrl-C would. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ending = [...this.#running].map(
      (child) => new Promise<void>((resolve) => child.once('close', () => resolve())),
    );
    for (const child of this.#running) child.kill('SIGINT');
    await Promise.all(ending);
  }

  #end(pid: number, signal: NodeJS.Signals): void {
    for (const child of this.#running) if (child.pid === pid) child.kill(signal);
  }
}

/** What a command said last: its complaint without the stack of a fault of ours, else its last line. */
export function complaint(stderr: string): string {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at /.test(line));
  const begin = lines.findLastIndex((line) => /^(?:daguerre|error): /.test(line));
  const said = lines
    .slice(begin)
    .join('\n')
    .replace(/^(?:daguerre|error): /, '')
    .trim();
  return said || 'the command failed and said nothing';
}

/** By the exit codes of docs/exit-codes.md; any other is a fault of ours. */
const KINDS: Readonly<Record<number, UserErrorKind>> = {
  2: 'usage',
  4: 'storage-full',
  5: 'conflict',
  6: 'damaged',
  7: 'unreachable',
};
/** How commands end what they say of files that may not be written to. */
const READ_ONLY = /\((?:EROFS|EACCES|EPERM)\)$/;

/** Why a command ended that should not have, in its own last words. */
export function commandFailure({ code, stderr }: Pick<EndedCommand, 'code' | 'stderr'>): UserError {
  const said = complaint(stderr);
  return new UserError(said, READ_ONLY.test(said) ? 'read-only' : (KINDS[code] ?? 'failed'));
}
