/** Unknown cells are undefined. */
export interface Table {
  readonly title?: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | undefined)[])[];
}

/** Lines and tables, separated by blank lines. */
export function printed(parts: readonly (string | Table)[]): string {
  const blocks = parts.map((part) => {
    if (typeof part === 'string') return part;
    const table = textTable(part.header, part.rows);
    return part.title === undefined ? table : `${part.title}\n${table}`;
  });
  return `${blocks.join('\n\n')}\n`;
}

/** Aligned columns; numbers on the right. */
export function textTable(header: Table['header'], rows: Table['rows']): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? format(cell) : (cell ?? '-'))),
  );
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[], like?: Table['rows'][number]): string =>
    row
      .map((cell, column) =>
        typeof like?.[column] === 'number'
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(header), ...cells.map((row, i) => line(row, rows[i]))].join('\n');
}

/** `name value`, one per line; unknown values are omitted. */
export function factLines(
  facts: readonly (readonly [name: string, value: string | number | null | undefined])[],
): string {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...known.map(([name]) => name.length));
  return known
    .map(([name, value]) => `${name.padEnd(width)}  ${typeof value === 'number' ? format(value) : value}`)
    .join('\n');
}

const format = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(3));
