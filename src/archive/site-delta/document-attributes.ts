import type { DeltaDocument } from '../../model/site-delta.ts';

type Key = Exclude<keyof DeltaDocument, 'at' | 'status' | 'archive' | 'http' | 'fault'>;

interface DocumentAttribute {
  readonly key: Key;
  readonly name: string;
  /** The value that the text represents; undefined where it is invalid. */
  readonly read: (text: string) => string | number | undefined;
}

/** In characters; far more than any of these needs. */
const LONGEST = 16_000;

export const plainText = (text: string): string | undefined =>
  text !== '' && text.length <= LONGEST && !/\p{Cc}/u.test(text) ? text : undefined;

export const wholeNumber = (text: string): number | undefined => {
  const value = Number(text);
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(value) ? value : undefined;
};

const share = (text: string): number | undefined => {
  const value = Number(text);
  return /^[\d.eE-]{1,30}$/.test(text) && value >= 0 && value <= 1 ? value : undefined;
};

export const webUrl = (text: string): string | undefined =>
  plainText(text) && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;

const sha256 = (text: string): string | undefined => (/^[0-9a-f]{64}$/.test(text) ? text : undefined);

/** Ids of archives, ours and those of others: `k7mq-2xrt-9hbd`. */
export const archiveName = (text: string): string | undefined =>
  /^[\w.:-]{1,100}$/.test(text) ? text : undefined;

/** The attributes of a document besides its date, status and archive, in the order they are written. */
export const DOCUMENT_ATTRIBUTES: readonly DocumentAttribute[] = [
  { key: 'inferred', name: 'inferred', read: plainText },
  { key: 'of', name: 'of', read: webUrl },
  { key: 'heldBy', name: 'held-by', read: archiveName },
  { key: 'record', name: 'record', read: plainText },
  { key: 'file', name: 'file', read: plainText },
  { key: 'offset', name: 'offset', read: wholeNumber },
  { key: 'sha256', name: 'sha256', read: sha256 },
  { key: 'size', name: 'size', read: wholeNumber },
  { key: 'look', name: 'look', read: plainText },
  { key: 'importance', name: 'importance', read: share },
  { key: 'sameAs', name: 'same-as', read: webUrl },
];
