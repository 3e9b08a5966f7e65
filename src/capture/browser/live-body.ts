/**
 * The body of an answer as the page gets it, taken from `Network.streamResourceContent`, which reports the decoded
 * bytes as the renderer receives them. For two kinds: what the page must get while it arrives (server-sent events,
 * streaming `fetch`), which a pause would withhold, perhaps for ever; and what only the page's own end event shows to
 * be whole. A stream taken from Chromium ends the same way whether the server finished or broke off, and only a length
 * tells the two apart.
 */
import type { Body } from '../../model/body.ts';
import { type HeaderList, header, type Truncation } from '../../model/exchange.ts';
import { BodySpool } from '../http/body-spool.ts';
import type { CdpSession } from './cdp-connection.ts';
import { isContentDecoded } from './message-heads.ts';

/** Always read to the end; the decoder of a picture or a film stops once it has seen enough. */
const LIVE_TYPES: ReadonlySet<string> = new Set(['Fetch', 'XHR', 'EventSource', 'Script', 'Stylesheet']);

export function isLive(resourceType: string, headers: HeaderList): boolean {
  return LIVE_TYPES.has(resourceType) && !isMeasurable(headers);
}

/** Whether the length received shows that it is complete: not if none was announced, or a coding has been undone. */
function isMeasurable(headers: HeaderList): boolean {
  return header(headers, 'content-length') !== undefined && !isContentDecoded(headers);
}

export class LiveBody {
  readonly #spool: BodySpool;
  readonly #sizeLimit: number;
  #told = 0;
  #cut = false;

  private constructor(spoolDir: string, sizeLimit: number) {
    this.#spool = new BodySpool(spoolDir, { onDrain: () => {}, onError: () => {} });
    this.#sizeLimit = sizeLimit;
  }

  /**
   * Must be called while the response is still paused, and in the session that announced the request: after the last
   * byte Chromium refuses. Undefined when it does.
   */
  static async begin(
    session: CdpSession,
    requestId: string,
    spoolDir: string,
    sizeLimit: number,
  ): Promise<LiveBody | undefined> {
    try {
      await session.send('Network.streamResourceContent', { requestId });
      return new LiveBody(spoolDir, sizeLimit);
    } catch {
      return undefined;
    }
  }

  add(data: string | undefined, length: number): void {
    this.#told += length;
    if (data !== undefined) this.#write(Buffer.from(data, 'base64'));
  }

  async finish(): Promise<{ readonly body: Body; readonly truncated: Truncation | undefined }> {
    const whole = this.#spool.size === this.#told;
    const truncated = this.#cut ? 'length' : whole ? undefined : 'unspecified';
    return { body: await this.#spool.finish(), truncated };
  }

  #write(bytes: Uint8Array): void {
    const room = this.#sizeLimit - this.#spool.size;
    if (bytes.length > room) this.#cut = true;
    if (room > 0 && bytes.length > 0)
      this.#spool.write(bytes.length > room ? bytes.subarray(0, room) : bytes);
  }
}
