import type { CaptureFact } from '../../model/capture.ts';
import { cdxjFields, cdxjKey, timestamp14 } from '../../model/cdxj-line.ts';
import { CdxProblem } from './cdx-problem.ts';

/** A line of the index, field by field, under pywb's names. */
export type CdxFields = Readonly<Record<string, string>>;

/** Names of the Internet Archive's fields, and what they are called by pywb. */
const NAMES: Readonly<Record<string, string>> = {
  original: 'url',
  mimetype: 'mime',
  statuscode: 'status',
};

const FIELDS = [
  ...['urlkey', 'timestamp', 'url', 'mime', 'status', 'digest', 'length', 'offset', 'filename'],
  ...['method', 'requestBody'],
];

/** Fields that the Internet Archive shows, in its order. */
export const IA_FIELDS = ['urlkey', 'timestamp', 'original', 'mimetype', 'statuscode', 'digest', 'length'];

/** The name under which a field stands, by either dialect's name. */
export function fieldNamed(given: string, parameter: string): string {
  const name = NAMES[given] ?? given;
  if (FIELDS.includes(name)) return name;
  throw new CdxProblem(
    `${parameter}: there is no field '${given}'`,
    `fields are ${[...FIELDS, ...Object.keys(NAMES)].join(', ')}`,
  );
}

/** `urlkey,timestamp` => names; undefined where none are given. */
export function fieldList(given: string | undefined, parameter: string): readonly string[] | undefined {
  const names = (given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  for (const name of names) fieldNamed(name, parameter);
  return names.length > 0 ? names : undefined;
}

export function pywbFields(fact: CaptureFact): CdxFields {
  return {
    urlkey: cdxjKey(fact.url, fact.method, fact.requestBody),
    timestamp: timestamp14(fact.at),
    ...cdxjFields(fact),
  };
}

/** As the Wayback Machine has them: SHA-1 in base 32 without its name, and of a revisit neither type nor status. */
export function iaFields(fact: CaptureFact): CdxFields {
  const fields = pywbFields(fact);
  const { sha1, sha256 } = fact.digest;
  return {
    ...fields,
    status: fact.type === 'revisit' ? '-' : (fields.status ?? '-'),
    digest: sha1 !== '' ? sha1 : sha256 || '-',
  };
}

/** `-` where there is nothing: lines of text are split at blanks. */
export const fieldText = (fields: CdxFields, name: string): string =>
  (fields[NAMES[name] ?? name] || '-').replace(/\s/g, '%20');
