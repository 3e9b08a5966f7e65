/** A finding in a file, on one line: `! a.warc.gz at 1024: …`. */
export function placeText(
  mark: string,
  { file, offset, reason }: { readonly file: string; readonly offset: number; readonly reason: string },
): string {
  return `${mark} ${file} at ${offset}: ${reason}`;
}
