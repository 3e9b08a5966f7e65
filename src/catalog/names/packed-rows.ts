import { deflateRawSync, inflateRawSync } from 'node:zlib';

export type PackedValue = number | string | null;
export type PackedRow = Readonly<Record<string, PackedValue>>;

/**
 * Rows as bytes: column by column, whole numbers as the difference to the row above, compressed. What a crawl leaves of a page
 * takes a sixth of its rows so.
 */
export function packRows(rows: readonly PackedRow[]): Uint8Array {
  const names = Object.keys(rows[0] ?? {});
  const columns = names.map((name) => {
    let last = 0;
    return rows.map((row) => {
      const value = row[name] ?? null;
      if (typeof value !== 'number') return value;
      const difference = value - last;
      if (!Number.isSafeInteger(value) || !Number.isSafeInteger(difference)) return [value];
      last = value;
      return difference;
    });
  });
  return deflateRawSync(JSON.stringify([names, ...columns]), { level: 9 });
}

export function unpackRows(bytes: Uint8Array): Record<string, PackedValue>[] {
  type Packed = number | string | null | readonly [number];
  const [names, ...columns] = JSON.parse(inflateRawSync(bytes).toString('utf8')) as [
    string[],
    ...(readonly Packed[])[],
  ];
  const rows = Array.from({ length: columns[0]?.length ?? 0 }, (): Record<string, PackedValue> => ({}));
  names.forEach((name, column) => {
    let last = 0;
    columns[column]?.forEach((value, index) => {
      const row = rows[index];
      if (!row) return;
      if (typeof value === 'number') {
        last += value;
        row[name] = last;
      } else row[name] = typeof value === 'object' && value !== null ? value[0] : value;
    });
  });
  return rows;
}
