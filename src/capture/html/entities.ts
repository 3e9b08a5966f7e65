/**
 * Character references in attribute values and texts, decoded by htmlparser2, which knows all 2,231 names and the rules
 * for those without a semicolon. Pages use few different ones, so each is decoded once.
 */
import { Parser } from 'htmlparser2';

const KNOWN = 4096;
const inValues = new Map<string, string>();
const inTexts = new Map<string, string>();

/** `?a=1&copy=2` is an argument, not a sign: what follows a reference without a semicolon decides. */
export function decodeAttribute(value: string): string {
  if (!value.includes('&')) return value;
  return value.replace(/&#?[0-9a-z]+[;=]?/gi, (reference) =>
    once(inValues, reference, () => `<a x="${reference}">`),
  );
}

export function decodeText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&#?[0-9a-z]+;?/gi, (reference) => once(inTexts, reference, () => reference));
}

function once(known: Map<string, string>, reference: string, html: () => string): string {
  const before = known.get(reference);
  if (before !== undefined) return before;
  let decoded = '';
  const parser = new Parser({
    onattribute: (_, value) => {
      decoded = value;
    },
    ontext: (text) => {
      decoded += text;
    },
  });
  parser.end(html());
  if (known.size < KNOWN) known.set(reference, decoded);
  return decoded;
}
