import { CaptureFault, type FaultKind } from '../../model/fault.ts';

/** Header of an answer that comes from the proxy itself; its value is the fault. */
export const REFUSED_HEADER = 'Daguerre-Refused';

/** The proxy's own answer to a request that it could not pass on. */
export function proxyAnswer(error: unknown): string {
  const kind: FaultKind = error instanceof CaptureFault ? error.kind : 'timeout';
  const status = STATUS[kind] ?? '502 Bad Gateway';
  const text = `${error instanceof Error ? error.message : String(error)}\n`;
  return [
    `HTTP/1.1 ${status}`,
    `${REFUSED_HEADER}: ${kind}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    '',
    text,
  ].join('\r\n');
}

const STATUS: Partial<Record<FaultKind, string>> = {
  'private-address': '403 Forbidden',
  'unsupported-url': '400 Bad Request',
  timeout: '504 Gateway Timeout',
};
