/** Rows as aligned text; numbers to the right. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? format(cell) : (cell ?? '-'))),
  );
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[], like?: readonly (string | number | undefined)[]): string =>
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

/** `name  value`, one a line; what is not known is left out. */
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
