import { CommanderError } from 'commander';
import {
  ArchiveLocked,
  CatalogFault,
  type CatalogFaultKind,
  IdentityFileFault,
  KeyFileFault,
  LockFileDamaged,
  WriterGone,
} from '../archive/faults.ts';
import { UserError, type UserErrorKind } from '../archive/user-error.ts';
import { BadRowError } from '../lab/data/page-tables.ts';
import { CaptureFault } from '../model/fault.ts';
import { DamagedRecord, isFullDisk, StorageFull } from '../ports/record-store.ts';
import { StorageFault, type StorageFaultKind } from '../ports/remote-records.ts';
import { NoBrowser } from '../ports/renderer.ts';
import { isSystemError } from '../ports/system-error.ts';
import { PortTaken } from '../server/port-taken.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { explainSystemError } from './explain-system-error.ts';

export interface Explained {
  readonly exitCode: ExitCode;
  /** Undefined if it has been printed already. */
  readonly message?: string;
}

const USER_ERRORS: Readonly<Record<UserErrorKind, ExitCode>> = {
  usage: EXIT.usage,
  conflict: EXIT.usage,
  'nothing-captured': EXIT.nothingCaptured,
  damaged: EXIT.damaged,
  unreachable: EXIT.unreachable,
  forbidden: EXIT.usage,
  'storage-full': EXIT.storageFull,
  'read-only': EXIT.usage,
  failed: EXIT.internal,
};

/** Kinds are named by what the user does next; so are exit codes. */
const CATALOG_FAULTS: Readonly<Record<CatalogFaultKind, ExitCode>> = {
  absent: EXIT.usage,
  busy: EXIT.locked,
  dismissed: EXIT.locked,
  damaged: EXIT.damaged,
  foreign: EXIT.usage,
  'newer-schema': EXIT.usage,
  'older-schema': EXIT.usage,
  unreachable: EXIT.unreachable,
  'read-only': EXIT.usage,
  unsupported: EXIT.usage,
};

const STORAGE_FAULTS: Readonly<Record<StorageFaultKind, ExitCode>> = {
  denied: EXIT.usage,
  absent: EXIT.usage,
  foreign: EXIT.usage,
  refused: EXIT.usage,
  unreachable: EXIT.unreachable,
};

/** What went wrong: in words for an ordinary fault, with its stack if the fault is ours. */
export function explainError(error: unknown): Explained {
  return explainOrdinary(error, 0) ?? { exitCode: EXIT.internal, message: stackOf(error) };
}

/** Causes nested deeper than this are ignored: a chain may be circular. */
const DEEPEST_CAUSE = 8;

function explainOrdinary(error: unknown, depth: number): Explained | undefined {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return undefined;
  // Commander has already reported it.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  const { message } = error;
  if (error instanceof NoBrowser || error instanceof PortTaken || error instanceof BadRowError)
    return { exitCode: EXIT.usage, message };
  if (error instanceof UserError) return { exitCode: USER_ERRORS[error.kind], message };
  if (error instanceof CatalogFault) return { exitCode: CATALOG_FAULTS[error.kind], message };
  if (error instanceof StorageFault) return { exitCode: STORAGE_FAULTS[error.kind], message };
  if (error instanceof StorageFull) return { exitCode: EXIT.storageFull, message };
  if (error instanceof ArchiveLocked) return { exitCode: EXIT.locked, message };
  if (error instanceof WriterGone) return { exitCode: EXIT.unreachable, message };
  if (error instanceof DamagedRecord)
    return { exitCode: EXIT.damaged, message: `${message}; 'daguerre verify' tells what else is damaged` };
  if (error instanceof LockFileDamaged) return { exitCode: EXIT.damaged, message };
  if (error instanceof KeyFileFault || error instanceof IdentityFileFault)
    return { exitCode: error.kind === 'damaged' ? EXIT.damaged : EXIT.usage, message };
  if (error instanceof CaptureFault && error.kind !== 'internal')
    return { exitCode: EXIT.nothingCaptured, message };
  if (isSystemError(error) || isFullDisk(error)) return explainSystemError(error);
  // The wrapping error says where it happened; its cause says what to do.
  const cause = causes(error)
    .map((one) => explainOrdinary(one, depth + 1))
    .find((one) => one !== undefined);
  if (cause?.message === undefined) return cause;
  return {
    ...cause,
    message: cause.message.includes(message) ? cause.message : `${message}: ${cause.message}`,
  };
}

/** A fault of the machine, not of the current page or file: the next one would meet it as well. */
export function isMachineFault(error: unknown): boolean {
  return error instanceof NoBrowser || error instanceof StorageFull || isSystemError(error);
}

function causes(error: Error): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [error.cause];
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
