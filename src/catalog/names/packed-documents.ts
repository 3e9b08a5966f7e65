import type { DeltaDocument } from '../../model/site-delta.ts';
import { type PackedRow, packRows, unpackRows } from './packed-rows.ts';

const COLUMNS = [
  ...(['at', 'status', 'archive', 'record', 'file', 'offset', 'sha256', 'size', 'look'] as const),
  ...(['importance', 'sameAs', 'http', 'fault', 'inferred', 'heldBy', 'of'] as const),
] as const satisfies readonly (keyof DeltaDocument)[];

export const packDocuments = (documents: readonly DeltaDocument[]): Uint8Array =>
  packRows(
    documents.map((document): PackedRow => {
      const row = COLUMNS.map((column) => [column, document[column] ?? null] as const);
      return Object.fromEntries(row);
    }),
  );

export const unpackDocuments = (bytes: Uint8Array): DeltaDocument[] =>
  unpackRows(bytes).map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).filter(([, value]) => value !== null),
      ) as unknown as DeltaDocument,
  );
