export interface Run {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A passage cut at the words that were found (UTF-16 offsets); what lies outside it or overlaps is mended. */
export function markedRuns(
  text: string,
  marks: readonly (readonly [from: number, to: number])[],
): readonly Run[] {
  const runs: Run[] = [];
  let at = 0;
  const add = (to: number, isMarked: boolean): void => {
    if (to > at) runs.push({ text: text.slice(at, to), isMarked });
    at = Math.max(at, to);
  };
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    add(Math.min(from, text.length), false);
    add(Math.min(to, text.length), true);
  }
  add(text.length, false);
  return runs;
}
