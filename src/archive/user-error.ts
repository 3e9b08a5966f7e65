/** Decides the exit code: see docs/exit-codes.md. */
export type UserErrorKind =
  | 'usage'
  | 'conflict'
  | 'nothing-captured'
  | 'damaged'
  | 'unreachable'
  | 'forbidden';

/** An error that the user can fix: its message says what happened and what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly kind: UserErrorKind;
  constructor(message: string, kind: UserErrorKind = 'usage') {
    super(message);
    this.kind = kind;
  }
}
