import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { csvLine } from '../../access/csv.ts';
import { naming } from '../../ports/system-error.ts';
import type { TableFormat } from './table-formats.ts';
import type { Cell, CellType, ExportedTable } from './table-rows.ts';

/** Rows held in memory for one row group of a Parquet file. */
const GROUP = 50_000;
const PARQUET_TYPES: Readonly<Record<CellType, BasicType>> = {
  text: 'STRING',
  time: 'TIMESTAMP',
  count: 'INT64',
  number: 'DOUBLE',
};

/** Appears whole under its name, or not at all: written next to it, then renamed. */
export async function writeTable(out: string, format: TableFormat, table: ExportedTable): Promise<number> {
  const beside = `${out}.part`;
  try {
    const rows = await naming(out, WRITERS[format](beside, table));
    await naming(out, rename(beside, out));
    return rows;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

const WRITERS: Readonly<Record<TableFormat, (file: string, table: ExportedTable) => Promise<number>>> = {
  csv: (file, table) => writeLines(file, table, csvLine, csvLine(Object.keys(table.columns))),
  ndjson(file, table) {
    const names = Object.keys(table.columns);
    const line = (row: readonly Cell[]): string =>
      `${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]])))}\n`;
    return writeLines(file, table, line, '');
  },
  parquet: writeParquet,
};

async function writeLines(
  file: string,
  table: ExportedTable,
  line: (row: readonly Cell[]) => string,
  head: string,
): Promise<number> {
  const stream = createWriteStream(file);
  const done = finished(stream);
  done.catch(() => {}); // Reported where it is awaited.
  let rows = 0;
  stream.write(head);
  for await (const row of table.rows()) {
    rows++;
    if (!stream.write(line(row))) await Promise.race([once(stream, 'drain'), done]);
  }
  stream.end();
  await done;
  return rows;
}

async function writeParquet(file: string, { columns, rows }: ExportedTable): Promise<number> {
  const names = Object.entries(columns);
  const columnData = (group: readonly (readonly Cell[])[]) =>
    names.map(([name, type], i) => ({
      name,
      type: PARQUET_TYPES[type],
      nullable: true,
      data: group.map((row) => parquetCell(row[i] ?? null, type)),
    }));
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: columnData([]) }),
  });
  let count = 0;
  let group: (readonly Cell[])[] = [];
  const flush = async (): Promise<void> => {
    await writer.write({ columnData: columnData(group), rowGroupSize: GROUP });
    group = [];
  };
  for await (const row of rows()) {
    count++;
    if (group.push(row) === GROUP) await flush();
  }
  if (group.length > 0) await flush();
  await writer.finish();
  return count;
}

function parquetCell(value: Cell, type: CellType): unknown {
  if (value === null) return undefined;
  if (type === 'time') return new Date(value);
  return type === 'count' ? BigInt(value) : value;
}
