/** What went wrong with the catalog, named by what the user does next. */
export type CatalogFaultKind =
  /** Another process holds the lock for longer than we wait. */
  | 'busy'
  /** This worker was taken for dead, and others go on with what it did. */
  | 'dismissed'
  /** Not whole any more: `daguerre reindex` rebuilds it. */
  | 'damaged'
  /** There is a database, and no catalog in it. */
  | 'absent'
  /** The file or schema belongs to something else, or to another archive. */
  | 'foreign'
  /** Written by a later Daguerre. */
  | 'newer-schema'
  /** Made by an earlier Daguerre: `daguerre reindex` makes it anew. */
  | 'older-schema'
  /** No such file, or the server does not answer. */
  | 'unreachable'
  | 'read-only'
  /** The server is too old. */
  | 'unsupported';

export class CatalogFault extends Error {
  override readonly name = 'CatalogFault';
  readonly kind: CatalogFaultKind;
  readonly location: string;

  constructor(kind: CatalogFaultKind, location: string, detail: string, cause?: unknown) {
    super(`catalog ${location}: ${detail}`, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.location = location;
  }
}

/** The drivers' error code, e.g. SQLITE_BUSY or 53100. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

export const REBUILD = 'run `daguerre reindex` to rebuild it from the WARC files';
