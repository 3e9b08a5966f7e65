/** Decides the exit code: see docs/exit-codes.md. */
export type UserErrorKind =
  | 'usage'
  | 'conflict'
  | 'nothing-captured'
  | 'damaged'
  | 'unreachable'
  | 'forbidden'
  | 'storage-full'
  /** A folder or disk that may not be written to. */
  | 'read-only'
  /** A process of ours that ended by a fault of its own. */
  | 'failed';

/** An error that the user can fix: its message says what happened and what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly kind: UserErrorKind;
  /** What to do, for the web page, where the message alone is not enough. */
  readonly hint: string | undefined;
  constructor(message: string, kind: UserErrorKind = 'usage', hint?: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}
