/**
 * Character references in attribute values and titles. Nearly all are `&amp;` or numbers and are decoded
 * here; anything else goes through htmlparser2, which knows all 2,231 names and the rules for those without
 * semicolon.
 */
import { Parser } from 'htmlparser2';

const COMMON: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: '\u00a0',
};

export function decodeAttribute(value: string): string {
  if (!value.includes('&')) return value;
  return decodeCommon(value, true) ?? viaParser(value, true);
}

export function decodeText(value: string): string {
  if (!value.includes('&')) return value;
  return decodeCommon(value, false) ?? viaParser(value, false);
}

/** undefined where a reference is not a common one. */
function decodeCommon(value: string, attribute: boolean): string | undefined {
  let out = '';
  let copied = 0;
  for (let at = value.indexOf('&'); at >= 0; at = value.indexOf('&', at + 1)) {
    let end = at + 1;
    while (isAlphanumeric(value.charCodeAt(end))) end++;
    const next = value.charCodeAt(end);
    if (end === at + 1) {
      if (next === 35) return undefined;
      continue;
    }
    if (next === 59) {
      const decoded = COMMON[value.slice(at + 1, end)];
      if (decoded === undefined) return undefined;
      out += value.slice(copied, at) + decoded;
      copied = end + 1;
    } else if (!(attribute && next === 61)) {
      // `?a=1&copy=2` is an argument; any other reference without semicolon may be one.
      return undefined;
    }
  }
  return copied === 0 ? value : out + value.slice(copied);
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function viaParser(value: string, attribute: boolean): string {
  let out = '';
  const parser = new Parser({
    onattribute: (_, decoded) => {
      out = decoded;
    },
    ontext: (text) => {
      out += text;
    },
  });
  parser.end(attribute ? `<a x="${value.replaceAll('"', '&quot;')}">` : value.replaceAll('<', '&lt;'));
  return out;
}
