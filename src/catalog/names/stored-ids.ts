import { recordKeyOf, storable } from './stored-text.ts';

/**
 * Ids of records and events as bytes. Those that Daguerre gives are UUIDs, 16 bytes where the text takes 36 or 47, and a
 * crawl of an unchanged site adds little else to the catalog. Any other begins with OTHER, and is no 16 bytes long.
 */
const OTHER = 1;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const RECORD = /^<urn:uuid:([^>]*)>$/;

const uuidBytes = (text: string): Uint8Array | undefined =>
  UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const isUuid = (bytes: Uint8Array): boolean => bytes.byteLength === 16;
const other = (text: string): Uint8Array => {
  const bytes = Buffer.from(`\u0001${text}`, 'utf8');
  // 16 bytes are a UUID: one more tells them apart.
  return bytes.byteLength === 16 ? Buffer.concat([bytes, Buffer.of(0)]) : bytes;
};

export function eventBytes(eventId: string | undefined): Uint8Array | null {
  if (eventId === undefined) return null;
  return uuidBytes(eventId) ?? other(storable(eventId));
}

export function eventText(bytes: Uint8Array): string {
  if (isUuid(bytes)) return uuidText(bytes);
  const end = bytes.at(-1) === 0 ? -1 : undefined;
  return Buffer.from(bytes)
    .subarray(bytes[0] === OTHER ? 1 : 0, end)
    .toString('utf8');
}

/** The unique key of a record: its id where that is a UUID, else a hash of it, and the text stands beside. */
export function recordBytes(recordId: string): Uint8Array {
  return uuidBytes(RECORD.exec(recordId)?.[1] ?? '') ?? other(recordKeyOf(storable(recordId)));
}

export const recordText = (recordId: string): string | null =>
  isUuid(recordBytes(recordId)) ? null : storable(recordId);

export const recordIdOf = (bytes: Uint8Array, text: string | null): string =>
  text ?? `<urn:uuid:${uuidText(bytes)}>`;
