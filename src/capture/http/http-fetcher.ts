import { setMaxListeners } from 'node:events';
import { tmpdir } from 'node:os';
import { CaptureFault } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { ConnectionPool } from './connection-pool.ts';
import { type AddressPolicy, guardedConnect } from './guarded-connect.ts';
import { type ExchangeContext, HttpExchange } from './http-exchange.ts';
import { httpUrl } from './request-head.ts';

export interface HttpFetcherOptions extends AddressPolicy {
  /**
   * Where bodies above 2 MB are spooled; created when first needed. Default: the system's temporary folder.
   */
  readonly spoolDir?: string;
  /**
   * Accepts any certificate. Off by default: an archive should not contain what anyone on the way could have
   * written.
   */
  readonly insecureTls?: boolean;
  readonly now?: () => Millis;
}

/**
 * HTTP/1.1 with the bytes of both messages exactly as they were on the wire. Why it is not built on an HTTP
 * library: decisions/0006-exact-bytes.md.
 */
export function openHttpFetcher(options: HttpFetcherOptions = {}): Fetcher {
  const pool = new ConnectionPool();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const context: ExchangeContext = {
    pool,
    spoolDir: options.spoolDir ?? tmpdir(),
    now: options.now ?? Date.now,
    async connect(url, signal) {
      const isTls = url.protocol === 'https:';
      const target = {
        hostname: url.hostname,
        port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
        url: url.href,
        ...(isTls ? { tls: { insecure: options.insecureTls ?? false } } : {}),
      };
      const { socket, ip } = await guardedConnect(target, options, [signal, closing.signal]);
      return pool.adopt(url.origin, socket, ip);
    },
  };

  return {
    fetch: (request) =>
      new Promise((resolve, reject) => {
        request.signal?.throwIfAborted();
        // One signal stops a whole crawl: it has one listener for each exchange under way.
        if (request.signal) setMaxListeners(0, request.signal);
        if (closing.signal.aborted) throw new CaptureFault('internal', request.url, 'the fetcher is closed');
        new HttpExchange(context, httpUrl(request.url), request, resolve, reject).start();
      }),
    async close() {
      closing.abort(new Error('the fetcher was closed'));
      pool.close();
    },
  };
}
