import { EMPTY_BODY } from '../model/body.ts';
import { digestBytes } from './digest.ts';
import type { RecordDraft } from './pack.ts';
import { type FieldList, recordHead } from './record-head.ts';

/** Format fields of every `warcinfo` we write. */
export const FORMAT_FIELDS: FieldList = [
  ['format', 'WARC File Format 1.1'],
  ['conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
];

/** A record whose block is itself a list of fields: `warcinfo`, or metadata of a whole file. */
export function fieldsRecord(fields: FieldList, content: FieldList): RecordDraft {
  // Same grammar as the record header, minus its version line.
  const text = recordHead(content).toString();
  const block = Buffer.from(text.slice(text.indexOf('\n') + 1, -2));
  return {
    fields: [
      ...fields,
      ['WARC-Block-Digest', `sha256:${digestBytes(block).sha256}`],
      ['Content-Type', 'application/warc-fields'],
    ],
    head: block,
    body: EMPTY_BODY,
  };
}
