/** An error of the operating system, as Node reports it. */
export interface SystemError extends Error {
  /** E.g. `ENOENT`. */
  readonly code: string;
  /** E.g. `open`. */
  readonly syscall?: string;
  path?: string;
  /** For `rename` and `copyfile`: the destination. */
  readonly dest?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

/**
 * When reads and writes on an open file fail, the error does not name the file; the reader of the message needs the
 * name.
 */
export async function naming<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw named(path, error);
  }
}

/** For a file that is first written under another name: the message then has the intended name. */
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
