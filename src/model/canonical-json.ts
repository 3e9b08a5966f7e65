/**
 * Canonical JSON as in RFC 8785: one text per value, so that anyone who has parsed the value can check a signature
 * over its UTF-8 bytes. Keys are sorted by UTF-16 code units, there is no white space, and numbers and strings are as
 * ECMAScript writes them. Members that are undefined are left out, as by JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item)).join(',')}]`;
  if (typeof value !== 'object') throw new CanonicalJsonError(`JSON has no ${typeof value}`);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${stringText(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** The value cannot be written as canonical JSON: an error of the caller. */
export class CanonicalJsonError extends TypeError {
  override readonly name = 'CanonicalJsonError';
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new CanonicalJsonError(`JSON has no ${value}`);
  return JSON.stringify(value);
}

/** Half a surrogate pair has no UTF-8: RFC 8785 forbids it, JSON.stringify would write an escape. */
function stringText(value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new CanonicalJsonError('the text holds half a surrogate pair');
  return JSON.stringify(value);
}
