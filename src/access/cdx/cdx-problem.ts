/** A question that no index can answer: what is wrong with it, and what is accepted. */
export class CdxProblem extends Error {
  override readonly name = 'CdxProblem';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
