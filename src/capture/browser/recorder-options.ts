import type { CdpEvent, CdpSession } from './cdp-connection.ts';
import type { Facts } from './facts.ts';
import type { ExchangeSurroundings } from './recorded-request.ts';

export type Paused = CdpEvent<'Fetch.requestPaused'>;

export interface RecorderOptions extends ExchangeSurroundings {
  readonly sizeLimit: number;
  readonly spoolDir: string;
  readonly facts: Facts;
  /** Id of the page's own frame. */
  readonly mainFrame: string;
  /** Answers, stops or lets go a request that was held: a document, or any when nothing is live. True: dealt with. */
  request(session: CdpSession, paused: Paused): boolean;
}
