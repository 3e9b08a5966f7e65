/** Exit codes, documented in docs/exit-codes.md and in `daguerre --help`. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  /** The crawl ended, but no seed could be captured. */
  nothingCaptured: 3,
  storageFull: 4,
  /** Another process writes to the archive. */
  locked: 5,
  /** `verify` or `import` found errors. */
  damaged: 6,
  /** Ctrl-C: stopped cleanly, the same command resumes. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that is the user's to mend: printed without a stack, with what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
