/** What the server of the benchmarks serves. */
export interface Site {
  readonly files: ReadonlyMap<string, { readonly type: string; readonly body: Buffer }>;
  /** How many of the files are pages. */
  readonly pages: number;
}
