import { parseHttpHead } from '../../model/http-message.ts';
import { BodyFraming } from './body-framing.ts';
import { HeadBuffer } from './head-buffer.ts';
import { HEAD_LIMIT } from './response-reader.ts';

/**
 * Sees on the wire whether an answer arrived whole: browsers hand out a chunked picture that broke off as if it were
 * complete. Watches the bytes of one connection as they pass, one answer after the other.
 *
 *   idle ──begin──► head ──► body ──► idle          `end` in head or body: cut
 */
export class AnswerWatch {
  readonly #tell: (url: string, isWhole: boolean) => void;
  #asked: { readonly method: string; readonly url: string } | undefined;
  #head = new HeadBuffer();
  #body: BodyFraming | undefined;

  constructor(tell: (url: string, isWhole: boolean) => void) {
    this.#tell = tell;
  }

  begin(method: string, url: string): void {
    this.#asked = { method, url };
    this.#head = new HeadBuffer();
    this.#body = undefined;
  }

  take(piece: Buffer): void {
    if (!this.#asked) return;
    if (this.#body) this.#takeBody(piece);
    else this.#takeHead(piece);
  }

  /** Called when the connection is over. */
  end(): void {
    // An answer without a head is a failure that the browser reports itself.
    if (this.#asked && this.#body && !this.#body.endsAtClose) this.#tell(this.#asked.url, false);
    this.#asked = undefined;
  }

  #takeHead(piece: Buffer): void {
    this.#head.add(piece);
    for (let bytes = this.#head.next(); bytes !== undefined; bytes = this.#head.next()) {
      const head = parseHttpHead(bytes);
      if (head?.kind !== 'response') break;
      if (head.status < 200) continue;
      const isBodiless = this.#asked?.method === 'HEAD';
      this.#body = isBodiless ? undefined : BodyFraming.ofResponse(head.status, head.headers);
      if (this.#body) this.#takeBody(this.#head.rest());
      else this.#asked = undefined;
      return;
    }
    if (this.#head.size > HEAD_LIMIT) this.#asked = undefined;
  }

  #takeBody(piece: Buffer): void {
    this.#body?.take(piece);
    if (!this.#body?.done || !this.#asked) return;
    this.#tell(this.#asked.url, true);
    this.#asked = undefined;
  }
}
