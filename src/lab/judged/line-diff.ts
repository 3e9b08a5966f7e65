/** The difference of two lists of lines, as a person reads it: gone, new, reworded, moved. */
export interface LineDiff {
  /** In the order of the newer page, with gone lines at their old places. */
  readonly told: readonly ToldLine[];
  readonly lines: number;
}

export interface ToldLine {
  /** `-` gone, `+` new, `*` reworded, `~` in another order. */
  readonly mark: '-' | '+' | '*' | '~';
  /** Its position on its page, in percent of lines. */
  readonly at: number;
  readonly text: string;
}

export function lineDiff(old: readonly string[], now: readonly string[]): LineDiff {
  const counts = countsOf(now);
  const gone = take(old, counts);
  const came = take(now, countsOf(old));
  const told: ToldLine[] = [];
  const percent = (index: number, all: readonly string[]): number => Math.round((100 * index) / all.length);
  const paired = new Set<number>();
  for (const { line, index } of gone) {
    const partner = came.find(
      (one) =>
        !paired.has(one.index) &&
        Math.abs(percent(one.index, now) - percent(index, old)) <= 3 &&
        wordsShared(line, one.line) >= 0.5,
    );
    if (partner) {
      paired.add(partner.index);
      told.push({ mark: '*', at: percent(partner.index, now), text: `${line} ⇒ ${partner.line}` });
    } else told.push({ mark: '-', at: percent(index, old), text: line });
  }
  for (const { line, index } of came) {
    if (!paired.has(index)) told.push({ mark: '+', at: percent(index, now), text: line });
  }
  for (const { line, from, to } of movedHeadings(old, now)) {
    told.push({
      mark: '~',
      at: percent(to, now),
      text: `${line} (stood at ${percent(from, old)} %)`,
    });
  }
  return { told: told.sort((a, b) => a.at - b.at), lines: now.length };
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Lines that the other side lacks, or has fewer times. */
function take(lines: readonly string[], counts: Map<string, number>): { line: string; index: number }[] {
  const rest: { line: string; index: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    else rest.push({ line, index });
  }
  return rest;
}

function wordsShared(a: string, b: string): number {
  const [one, other] = [new Set(a.split(' ')), new Set(b.split(' '))];
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / Math.max(one.size, other.size);
}

/** Headings that both pages have once but in a different order: those outside a longest common order. */
function movedHeadings(
  old: readonly string[],
  now: readonly string[],
): { line: string; from: number; to: number }[] {
  const once = (lines: readonly string[]): Map<string, number> => {
    const counts = countsOf(lines);
    return new Map(
      lines
        .map((line, i) => [line, i] as const)
        .filter(([line]) => line.startsWith('# ') && counts.get(line) === 1),
    );
  };
  const before = once(old);
  const both = [...once(now)]
    .filter(([line]) => before.has(line))
    .map(([line, to]) => ({ line, to, from: before.get(line) as number }));
  const kept = new Set(longestRise(both.map(({ from }) => from)));
  return both.filter((_, i) => !kept.has(i));
}

/** Positions of a longest rising run; quadratic, for some hundred headings. */
function longestRise(numbers: readonly number[]): number[] {
  const length = numbers.map(() => 1);
  const before = numbers.map(() => -1);
  numbers.forEach((number, i) => {
    for (let j = 0; j < i; j++) {
      if ((numbers[j] as number) < number && (length[j] as number) + 1 > (length[i] as number)) {
        length[i] = (length[j] as number) + 1;
        before[i] = j;
      }
    }
  });
  const run: number[] = [];
  let at = length.indexOf(Math.max(...length));
  for (; at >= 0; at = before[at] ?? -1) run.push(at);
  return run;
}
