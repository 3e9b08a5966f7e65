import { CaptureFault, type FaultKind } from '../../model/fault.ts';
import { words } from '../words.ts';

const DNS_CODES = words(
  'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL ETIMEOUT EBADNAME EFORMERR',
);

/** System errors of a broken or impossible connection. Any other error of a TLS socket is TLS's own. */
const SOCKET_CODES = words(
  'ECONNRESET ECONNABORTED EPIPE EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL EADDRINUSE EINVAL EACCES ' +
    'EPERM EMFILE ENFILE ENOBUFS',
);

/** What a failed connection attempt means to the caller. */
export function connectFault(
  error: Error,
  target: { readonly url: string; readonly hostname: string; readonly port: number; readonly tls?: unknown },
): CaptureFault {
  const code = codeOf(error);
  const place = `${target.hostname}:${target.port}`;
  const fault = (kind: FaultKind, detail: string) =>
    new CaptureFault(kind, target.url, detail, { cause: error });
  if (DNS_CODES.has(code) || error.message.startsWith('getaddrinfo'))
    return fault('dns-failure', `${target.hostname} could not be resolved: ${code}`);
  if (code === 'ECONNREFUSED') return fault('connection-refused', `${place} refused the connection`);
  if (code === 'ETIMEDOUT' || code === 'ERR_SOCKET_CONNECTION_TIMEOUT')
    return fault('timeout', `${place} did not answer the connection attempt`);
  if (target.tls !== undefined && !SOCKET_CODES.has(code))
    return fault('tls-failure', `TLS with ${place} failed: ${error.message}${code ? ` [${code}]` : ''}`);
  return fault('connection-failed', `the connection to ${place} failed: ${code || error.message}`);
}

/** With several addresses Node reports an AggregateError: we report the first attempt. */
function codeOf(error: Error): string {
  const own = (error as NodeJS.ErrnoException).code;
  if (own !== undefined) return own;
  if (error instanceof AggregateError) {
    const first = error.errors[0] as NodeJS.ErrnoException | undefined;
    return first?.code ?? '';
  }
  return '';
}
