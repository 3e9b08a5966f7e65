import { CatalogFault, type CatalogFaultKind } from '../../catalog/faults.ts';
import { StorageFull } from '../../ports/record-store.ts';
import { isSystemError } from '../../ports/system-error.ts';
import { UserError, type UserErrorKind } from '../user-error.ts';

/** The first and only line of an asker. */
export interface AskerMessage {
  /** One of REQUESTS; `input` is what that takes. */
  readonly ask: string;
  readonly input: unknown;
  /** Version of Daguerre: both sides must speak the same protocol. */
  readonly version: string;
  readonly process: number;
  /** The catalog as given to the asker: the writer's must be the same. */
  readonly database: string | null;
}

export type WriterAnswer =
  /** Accepted: from now on the asker must not try it any other way. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'progress'; readonly file: string; readonly done: number; readonly size: number }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: SentError };

/** An error, sent so that the asker can report it as if it had happened there. */
export interface SentError {
  readonly type: 'user' | 'full' | 'catalog' | 'system' | 'other';
  readonly message: string;
  readonly kind?: string;
  readonly hint?: string | undefined;
  readonly file?: string;
  readonly code?: string;
  readonly syscall?: string | undefined;
  readonly path?: string | undefined;
  readonly dest?: string | undefined;
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { type: 'other', message: String(error) };
  const { message } = error;
  if (error instanceof UserError) return { type: 'user', kind: error.kind, message, hint: error.hint };
  if (error instanceof StorageFull) return { type: 'full', file: error.file, message };
  if (error instanceof CatalogFault)
    return { type: 'catalog', kind: error.kind, file: error.location, message };
  if (isSystemError(error)) {
    const { code, syscall, path, dest } = error;
    return { type: 'system', message, code, syscall, path, dest };
  }
  return { type: 'other', message: error.stack ?? message };
}

export function receivedError({ type, message, kind, hint, file = '', ...system }: SentError): Error {
  switch (type) {
    case 'user':
      return new UserError(message, kind as UserErrorKind, hint);
    case 'full':
      return new StorageFull(file, undefined);
    case 'catalog':
      return new CatalogFault(kind as CatalogFaultKind, file, message.replace(`catalog ${file}: `, ''));
    case 'system':
      return Object.assign(new Error(message), system);
    case 'other':
      return new Error(`in the process that writes to the archive: ${message}`);
  }
}

/** The writer ended, or was told to stop, before it had done the request. */
export class WriterGone extends Error {
  override readonly name = 'WriterGone';
}
