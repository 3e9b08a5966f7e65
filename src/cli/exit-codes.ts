/** Exit codes, documented in docs/exit-codes.md and in `daguerre --help`. */
export const EXIT = {
  ok: 0,
  /** A fault of Daguerre itself. */
  internal: 1,
  /** Something given cannot be used: a flag, URL, file, folder or configuration. */
  usage: 2,
  /** The crawl ended, but no seed could be captured. */
  nothingCaptured: 3,
  storageFull: 4,
  /** Another process writes to the archive. */
  locked: 5,
  /** Records, catalog or keys are damaged. */
  damaged: 6,
  /** The catalog's server, or the disk, does not respond. */
  unreachable: 7,
  /** There is a result, but it covers only a part of what was asked for. */
  partial: 8,
  /** Ctrl-C: stopped cleanly; the same command resumes. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
