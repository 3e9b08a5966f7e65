export const TABLE_FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

export const isTableFormat = (format: string): format is TableFormat =>
  (TABLE_FORMATS as readonly string[]).includes(format);
