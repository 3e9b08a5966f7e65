import { CaptureFault } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import type { Session } from './session.ts';

/**
 * A fetcher whose requests are those of the session's visitors. What it returns no longer holds any secret.
 */
export function sessionFetcher(fetcher: Fetcher, session: Session, now: () => Millis): Fetcher {
  const { visitors, redactor } = session;
  return {
    async fetch(request) {
      if (!URL.canParse(request.url)) return fetcher.fetch(request);
      const url = new URL(request.url);
      const visitor = visitors.of(url);
      const cookie = visitor.jar.headerFor(url, now());
      const headers = () => ({
        ...request.headers,
        ...(cookie !== undefined && { Cookie: cookie }),
        ...Object.fromEntries(session.headersFor(url)),
      });
      try {
        let exchange = await fetcher.fetch({ ...request, headers: headers() });
        // A challenge, not an answer: it comes once per nonce, and the page comes with the reply.
        if (exchange.response.status === 401 && session.learn(url, exchange.response.headers)) {
          await exchange.response.body.release();
          exchange = await fetcher.fetch({ ...request, headers: headers() });
        }
        const fields = exchange.response.headers
          .filter(([name]) => name.toLowerCase() === 'set-cookie')
          .map(([, value]) => value);
        visitors.change(visitor, url, { ...visitor.jar.asked(url, fields, now()), storage: [] });
        const stored = redactor ? redactor.exchange(exchange) : exchange;
        session.made(stored.request, visitor);
        return stored;
      } catch (error) {
        throw redactor && error instanceof CaptureFault ? redactor.fault(error) : error;
      }
    },
    close: () => fetcher.close(),
  };
}
