import { UserError, type UserErrorKind } from '../archive/user-error.ts';
import { isFullDisk, StorageFull } from '../ports/record-store.ts';
import { isSystemError } from '../ports/system-error.ts';

/** A failure that people can mend, as an API tells it. */
export interface KnownFailure {
  readonly status: number;
  readonly detail: string;
  readonly hint: string;
}

export const VERIFY = 'run `daguerre verify` to check the record files, then try again';

/** A catalog whose server is away; the next request may find it again. */
export const isUnreachable = (error: unknown): boolean =>
  (error as { kind?: unknown } | null)?.kind === 'unreachable';

const OF_KINDS: Readonly<Record<UserErrorKind, readonly [status: number, hint: string]>> = {
  usage: [400, 'change what it names, then ask again'],
  conflict: [409, 'ask again when that has ended'],
  'nothing-captured': [500, VERIFY],
  damaged: [500, VERIFY],
  unreachable: [503, 'try again in a moment'],
  forbidden: [403, 'see docs/workers.md'],
  'storage-full': [507, 'free some space on the disk of the archive, then try again'],
  'read-only': [
    503,
    'let the user that the server runs as write to the folder of the archive, then try again',
  ],
  failed: [500, VERIFY],
};
const MAY_NOT_WRITE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);
/** Causes nested deeper than this are ignored: a chain may be circular. */
const DEEPEST_CAUSE = 8;

/** The same fault has the same status wherever it is met: in the server, or in a process that it has begun. */
export function knownFailure(error: unknown, depth = 0): KnownFailure | undefined {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return undefined;
  const { message } = error;
  if (error instanceof UserError) return ofKind(error.kind, message, error.hint);
  if (error instanceof StorageFull || isFullDisk(error)) return ofKind('storage-full', message);
  if (isUnreachable(error))
    return { status: 503, detail: message, hint: 'start the database server, then try again' };
  if (isSystemError(error) && MAY_NOT_WRITE.has(error.code)) return ofKind('read-only', message);
  return knownFailure(error.cause, depth + 1);
}

function ofKind(kind: UserErrorKind, message: string, own?: string): KnownFailure {
  const [status, hint] = OF_KINDS[kind];
  return { status, detail: detailOf(kind, message), hint: own ?? hint };
}

/** What commands advise their users is no advice here: the hint says what to do. */
function detailOf(kind: UserErrorKind, message: string): string {
  if (kind === 'storage-full') return `the disk is full: ${message.replace(/: free some space.*$/s, '')}`;
  if (kind !== 'read-only') return message;
  return `the archive cannot be written to: ${message.replace(/: (?:make it writable|change its permissions).*(?= \()/s, '')}`;
}
