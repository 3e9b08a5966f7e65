/** Why a visit ended before its last step. */
export class VisitEnd extends Error {
  override readonly name = 'VisitEnd';
  readonly why: 'time' | 'crash' | 'abort';
  constructor(why: 'time' | 'crash' | 'abort', detail: string) {
    super(detail);
    this.why = why;
  }
}
