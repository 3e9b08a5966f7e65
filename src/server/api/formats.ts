import { csvLine } from '../../access/csv.ts';
import { RequestProblem } from '../api-error.ts';
import { valueAt } from './fields.ts';

export const FORMATS = ['application/json', 'application/x-ndjson', 'text/csv'] as const;
export type Format = (typeof FORMATS)[number];

/** What a list is sent as: the first that the client takes, JSON where it takes anything. */
export function formatFor(accept: string | undefined): Format {
  if (accept === undefined || accept.trim() === '') return 'application/json';
  const wanted = accept
    .split(',')
    .map((one) => {
      const [type = '', ...rest] = one.trim().toLowerCase().split(';');
      const quality = rest
        .map((given) => /^\s*q=([\d.]+)\s*$/.exec(given)?.[1])
        .find((given) => given !== undefined);
      return { type: type.trim(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { type } of wanted) {
    const found = FORMATS.find((format) => format === type);
    if (found) return found;
    if (type === '*/*' || type === 'application/*') return 'application/json';
    if (type === 'text/*') return 'text/csv';
    if (type === 'application/ndjson') return 'application/x-ndjson';
  }
  throw new RequestProblem(406, `lists are not sent as ${accept}`, `accept one of ${FORMATS.join(', ')}`);
}

type Row = Readonly<Record<string, unknown>>;

export const ndjson = (rows: readonly Row[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** With a line of names. Lists and objects without fields of their own stand as JSON. */
export const csv = (rows: readonly Row[], fields: readonly string[]): string =>
  [fields, ...rows.map((row) => fields.map((field) => valueAt(row, field)))].map(csvLine).join('');
