/** What the operating system said, as Node reports it. */
export interface SystemError extends Error {
  /** E.g. `ENOENT`. */
  readonly code: string;
  /** E.g. `open`. */
  readonly syscall?: string;
  path?: string;
  /** Of `rename` and `copyfile`: where to. */
  readonly dest?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

/** Reads and writes on a file that is open do not name it when they fail; whoever reads the message needs the name. */
export async function naming<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw named(path, error);
  }
}

/** For a file that is written under another name first: the message names the one that was asked for. */
export async function insteadOf<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isSystemError(error)) error.path = path;
    throw error;
  }
}

export function named(path: string, error: unknown): unknown {
  if (isSystemError(error)) error.path ??= path;
  return error;
}
