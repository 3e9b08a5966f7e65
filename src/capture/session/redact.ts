import type { Exchange, HeaderList } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import { REDACTED } from '../../model/private-capture.ts';
import { words } from '../words.ts';

/** Fields that grant access in any session. */
const ALWAYS = words('cookie cookie2 set-cookie set-cookie2 authorization proxy-authorization');

/** Characters. Shorter secrets are not searched for in texts: they would be found everywhere. */
const SHORTEST = 6;

/** Removes secrets from what is to be stored. */
export interface Redactor {
  exchange(exchange: Exchange): Exchange;
  /** For a fault or a fact, which may quote what it is about. */
  text(text: string): string;
  fault(fault: CaptureFault): CaptureFault;
}

/** @param names of supplied header fields @param secrets supplied values */
export function openRedactor(names: readonly string[], secrets: readonly string[]): Redactor {
  const fields = new Set([...ALWAYS, ...names.map((name) => name.toLowerCase())]);
  // Longest first: one may be part of another.
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  const text = (given: string): string =>
    known.reduce((sum, secret) => sum.replaceAll(secret, REDACTED), given);
  const list = (headers: HeaderList): HeaderList =>
    headers.map(([name, value]) => [name, fields.has(name.trim().toLowerCase()) ? REDACTED : value]);
  return {
    exchange: ({ request, response, ...rest }) => ({
      ...rest,
      request: { ...request, headers: list(request.headers), head: redactedHead(request.head, fields) },
      response: { ...response, headers: list(response.headers), head: redactedHead(response.head, fields) },
    }),
    text,
    fault(fault) {
      // The message quotes the first bytes, which may include header fields.
      const detail =
        fault.kind === 'malformed-response'
          ? 'not an HTTP response; its bytes are not told, since it may hold secrets'
          : text(fault.message).replace(` (${fault.url})`, '');
      const { retryAfter } = fault;
      return new CaptureFault(fault.kind, fault.url, detail, retryAfter === undefined ? {} : { retryAfter });
    },
  };
}

/** The same bytes except for the values of these fields, including their continuation lines. */
export function redactedHead(head: Uint8Array, fields: ReadonlySet<string>): Uint8Array {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  // Each line with its own ending.
  const lines = text.match(/[^\n]*(?:\n|$)/g) ?? [];
  let isHidden = false;
  let out = '';
  for (const [number, line] of lines.entries()) {
    const isContinued = number > 1 && /^[ \t]+[^\s]/.test(line);
    if (isContinued && isHidden) continue;
    const name = number === 0 ? undefined : /^([^:\r\n]*):/.exec(line)?.[1];
    isHidden = name !== undefined && fields.has(name.trim().toLowerCase());
    out += isHidden ? `${name}: ${REDACTED}${/\r?\n$/.exec(line)?.[0] ?? ''}` : line;
  }
  return out === text ? head : Buffer.from(out, 'latin1');
}
