import { header } from '../model/exchange.ts';
import { parseArcHead } from './arc.ts';
import { type ParsedHead, parseRecordHead } from './record-head.ts';

export type AnyHead = Pick<ParsedHead, 'version' | 'fields' | 'length'> & { readonly blockSize: number };

export const NO_HEAD_END = 'the record header has no end';

/** The WARC or ARC header at the start of `bytes`, after any empty lines, or the reason why there is none. */
export function anyHead(bytes: Buffer): AnyHead | string {
  let lead = 0;
  while (bytes[lead] === 10 || bytes[lead] === 13) lead++;
  const rest = lead === 0 ? bytes : bytes.subarray(lead);
  const warc = parseRecordHead(rest);
  if (warc === 'incomplete') return NO_HEAD_END;
  if (warc) {
    const size = header(warc.fields, 'content-length') ?? '';
    if (!/^\d{1,15}$/.test(size)) return `Content-Length is '${size}'`;
    return { ...warc, length: lead + warc.length, blockSize: Number(size) };
  }
  const arc = parseArcHead(rest);
  if (!arc) return 'no record header here';
  const { version, fields, length, size } = arc;
  if (size === undefined)
    return `the ARC record line gives '${header(fields, 'content-length')}' as its length`;
  return { version, fields, length: lead + length, blockSize: size };
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 10 || byte === 13);
}

export function anyHeadFollows(bytes: Buffer): boolean {
  let at = 0;
  while (bytes[at] === 10 || bytes[at] === 13) at++;
  const rest = bytes.subarray(at);
  return rest.toString('latin1', 0, 5) === 'WARC/' || /^[a-z]+:\/*\S+ /i.test(rest.toString('latin1'));
}
