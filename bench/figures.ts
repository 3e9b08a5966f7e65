/**
 * What every benchmark returns, and how it is printed: a table of rows for the reader, ratios against a peer or an
 * earlier size for the claim, JSON for scripts. `run.ts` collects the results of all of them.
 */
export type Cell = number | string;

/** How a figure compares with its peer; `aim` is the minimum wanted, or the maximum with `atMost`. */
export interface Ratio {
  readonly what: string;
  readonly value: number;
  readonly aim?: number;
  readonly atMost?: boolean;
}

export interface BenchResult {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly ratios: readonly Ratio[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

export function print(result: BenchResult, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else process.stdout.write(`${markdown(result)}\n${ratioTable([result])}\n`);
}

export function markdown({ title, rows, notes }: BenchResult): string {
  const remarks = notes.map((note) => `${note}\n`).join('');
  return `### ${title}\n\n${table(rows)}${remarks === '' ? '' : `\n${remarks}`}`;
}

export function ratioTable(results: readonly BenchResult[]): string {
  return table(
    results.flatMap(({ ratios }) =>
      ratios.map(({ what, value, aim, atMost = false }) => ({
        what,
        ratio: round(value, 2),
        aim: aim === undefined ? '' : `${atMost ? '≤' : '≥'} ${aim}`,
        reached: aim === undefined ? '' : (atMost ? value <= aim : value >= aim) ? 'yes' : 'no',
      })),
    ),
  );
}

function table(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return '';
  const columns = Object.keys(first);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const isNumber = (column: string): boolean => rows.every((row) => typeof row[column] === 'number');
  return (
    line(columns) +
    line(columns.map((column) => (isNumber(column) ? '---:' : '---'))) +
    rows.map((row) => line(columns.map((column) => String(row[column] ?? '')))).join('')
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/**
 * For two contestants measured in turns: the mean ratio of the rounds, with its 95 % interval, both by logarithms. An
 * interval that contains 1 shows no difference.
 */
export function meanRatio(
  ours: readonly number[],
  theirs: readonly number[],
): { readonly value: number; readonly interval: string } {
  const logs = ours.map((value, turn) => Math.log(value / (theirs[turn] ?? Number.NaN)));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const half = studentsT(logs.length - 1) * Math.sqrt(variance / logs.length);
  const interval = `${round(Math.exp(mean - half), 3)} to ${round(Math.exp(mean + half), 3)}`;
  return { value: Math.exp(mean), interval };
}

/** The 97.5 % quantile, by the Cornish-Fisher expansion: within 1 % from 5 degrees of freedom on. */
function studentsT(freedom: number): number {
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
