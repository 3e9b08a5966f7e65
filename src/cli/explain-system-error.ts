import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFullDisk, StorageFull } from '../ports/record-store.ts';
import type { SystemError } from '../ports/system-error.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

interface Meaning {
  readonly exitCode: ExitCode;
  /** Completes a sentence that begins with the file. */
  readonly words: string;
}

const usage = (words: string): Meaning => ({ exitCode: EXIT.usage, words });
const unreachable = (words: string): Meaning => ({ exitCode: EXIT.unreachable, words });

/** What users can do about the system's errors on a file. Any other code is a bug. */
const OF_FILES: Readonly<Record<string, Meaning>> = {
  ENOENT: usage('does not exist: check the path'),
  ENOTDIR: usage('cannot be reached, because a part of its path is a file: name another place'),
  EISDIR: usage('is a folder where a file is needed: name a file'),
  EEXIST: usage('is in the way: move it, or name another place'),
  ENOTEMPTY: usage('is not empty: move what it holds, or name another place'),
  EACCES: usage('may not be used by this user: change its permissions, or name another place'),
  EPERM: usage('may not be changed by this user: change its permissions, or name another place'),
  EROFS: usage('lies on a disk that is read-only: make it writable, or name another place'),
  ENAMETOOLONG: usage('has a name that is too long for this disk: choose a shorter one'),
  ELOOP: usage('is a link that leads back to itself: name the file it is meant to lead to'),
  EXDEV: usage('lies on another disk than its target: put both on one'),
  EBUSY: usage('is in use by the system: wait, or name another place'),
  ETXTBSY: usage('is being run as a program: wait until it ends'),
  EINVAL: usage('cannot be read or written as a file: name another'),
  ENOTSUP: usage('lies on a disk that cannot do this: name another place'),
  ESPIPE: usage('cannot be read from any place in it: copy it to a file first'),
  EMFILE: usage('cannot be opened, because too many files are open: raise the limit (ulimit -n)'),
  ENFILE: usage('cannot be opened, because too many files are open on this machine: close some programs'),
  EIO: unreachable('cannot be read or written: check the disk'),
  ENXIO: unreachable('lies on a disk that is gone: check the disk'),
  ENODEV: unreachable('lies on a disk that is gone: check the disk'),
  ESTALE: unreachable('lies on a network disk that is gone: mount it again'),
  EHOSTDOWN: unreachable('lies on a network disk that does not answer: check its server'),
};

const OF_ADDRESSES: Readonly<Record<string, Meaning>> = {
  EADDRINUSE: usage('is taken: choose another port'),
  EADDRNOTAVAIL: usage('is no address of this machine: choose another'),
  EACCES: usage('may not be listened on by this user: choose a port from 1024 on'),
  ENOTFOUND: usage('is no name of this machine: choose another address'),
  EAI_AGAIN: usage('cannot be resolved now: choose another address'),
  EINVAL: usage('cannot be listened on: choose another address'),
};

/** Undefined for a code that no user can fix. */
export function explainSystemError(
  error: Error | SystemError,
): { readonly exitCode: ExitCode; readonly message: string } | undefined {
  const { code, syscall, path, dest, address, port, hostname } = error as Partial<SystemError> & {
    address?: string;
    port?: number;
    hostname?: string;
  };
  if (code === undefined) return undefined;
  if (isFullDisk(error)) {
    const { message } = new StorageFull(dest ?? path ?? 'a file', error);
    return { exitCode: EXIT.storageFull, message };
  }
  if (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo') {
    const where = [address ?? hostname ?? 'the address', ...(port === undefined ? [] : [`port ${port}`])];
    return said(where.join(' '), OF_ADDRESSES[code], code);
  }
  // When a file is to be written, it is usually the target that cannot be.
  const target = dest !== undefined && code !== 'ENOENT' ? dest : path;
  // Not a bug, even if the file is not named.
  if (target === undefined) return said('a file', OF_FILES[code], code);
  if (syscall === 'mkdtemp')
    return said(target, usage('cannot be made: set TMPDIR to a folder that may be written'), code);
  if (target.startsWith('s3://'))
    return code === 'ENOENT'
      ? said(
          target,
          usage(
            "is not in the object store any more: run the same command again; if that does not help, 'daguerre verify' names what is lost",
          ),
          code,
        )
      : said(target, OF_FILES[code], code);
  if (code === 'ENOENT' && !existsSync(dirname(target)))
    return said(
      target,
      usage(`lies in a folder that does not exist: make ${dirname(target)}, or name another place`),
      code,
    );
  return said(target, OF_FILES[code], code);
}

function said(subject: string, meaning: Meaning | undefined, code: string) {
  return (
    meaning && { exitCode: meaning.exitCode, message: `${shortened(subject)} ${meaning.words} (${code})` }
  );
}

/** A name of thousands of characters says no more than its beginning and end. */
function shortened(path: string): string {
  if (path === '') return "'' (an empty path)";
  return path.length <= 400 ? path : `${path.slice(0, 200)}…${path.slice(-100)}`;
}
