import type { Framing, HeaderList } from '../../model/exchange.ts';
import { isChunked } from '../../model/http-message.ts';

const LF = 10;
const CR = 13;

/** Bytes of one chunk extension, or of all trailer fields together. More is not HTTP. */
const EXTENSION_LIMIT = 16 * 1024;
const TRAILER_LIMIT = 256 * 1024;
/** 2^52: sizes stay exact in a double. */
const SIZE_DIGITS = 13;

type State = 'length' | 'until-close' | 'size' | 'extension' | 'data' | 'data-end' | 'trailer' | 'done';

/**
 * Finds where a message body ends, without touching its bytes (RFC 9112 §6).
 *
 *   length ──────────────────────────────────────────────► done
 *   size → extension → data → data-end → size → … → trailer → done
 *   until-close: the peer's FIN ends it
 *
 * An invalid chunk line leads to `until-close` with `broken` set: the bytes are kept as they come.
 */
export class BodyFraming {
  readonly framing: Framing;
  /** The message contradicts itself; its end can only be guessed. */
  broken = false;
  private state: State;
  private left = 0;
  private digits = 0;
  private lineLength = 0;
  private sectionLength = 0;

  private constructor(framing: Framing, state: State, left = 0) {
    this.framing = framing;
    this.state = state;
    this.left = left;
  }

  static ofResponse(status: number, headers: HeaderList): BodyFraming {
    if (status === 204 || status === 304) return new BodyFraming('identity', 'done');
    if (isChunked(headers)) return new BodyFraming('chunked', 'size');
    const length = contentLength(headers);
    if (length === 'none') return new BodyFraming('identity', 'until-close');
    if (length === 'contradictory') {
      const framing = new BodyFraming('identity', 'until-close');
      framing.broken = true;
      return framing;
    }
    return new BodyFraming('identity', length === 0 ? 'done' : 'length', length);
  }

  /** A request without a length has no body. */
  static ofRequest(headers: HeaderList): BodyFraming {
    if (isChunked(headers)) return new BodyFraming('chunked', 'size');
    const length = contentLength(headers);
    if (typeof length === 'number' && length > 0) return new BodyFraming('identity', 'length', length);
    return new BodyFraming('identity', 'done');
  }

  get done(): boolean {
    return this.state === 'done';
  }

  /** The body regularly ends when the peer closes the connection. */
  get endsAtClose(): boolean {
    return this.state === 'until-close';
  }

  /** Takes the next piece of the wire; returns how many of its bytes belong to this body. */
  take(piece: Uint8Array): number {
    let at = 0;
    while (at < piece.length) {
      switch (this.state) {
        case 'done':
          return at;
        case 'until-close':
          return piece.length;
        case 'length':
        case 'data': {
          const step = Math.min(this.left, piece.length - at);
          this.left -= step;
          at += step;
          if (this.left === 0) this.state = this.state === 'length' ? 'done' : 'data-end';
          break;
        }
        default:
          this.chunkByte(this.state, piece[at] as number);
          at++;
      }
    }
    return at;
  }

  private chunkByte(state: 'size' | 'extension' | 'data-end' | 'trailer', byte: number): void {
    if (state === 'size') {
      const digit = hexDigit(byte);
      if (digit >= 0) {
        this.left = this.left * 16 + digit;
        if (++this.digits > SIZE_DIGITS) this.giveUp();
      } else if (this.digits === 0) this.giveUp();
      else if (byte === LF) this.sizeDone();
      else if (byte === CR || byte === 0x3b || byte === 0x20 || byte === 9) this.state = 'extension';
      else this.giveUp();
    } else if (state === 'extension') {
      if (byte === LF) this.sizeDone();
      else if (++this.sectionLength > EXTENSION_LIMIT) this.giveUp();
    } else if (state === 'data-end') {
      if (byte === LF) this.state = 'size';
      else if (byte !== CR || ++this.lineLength > 1) this.giveUp();
      if (this.state === 'size') this.startSize();
    } else {
      if (++this.sectionLength > TRAILER_LIMIT) this.giveUp();
      else if (byte === LF) {
        if (this.lineLength === 0) this.state = 'done';
        this.lineLength = 0;
      } else if (byte !== CR) this.lineLength++;
    }
  }

  private startSize(): void {
    this.left = 0;
    this.digits = 0;
    this.lineLength = 0;
    this.sectionLength = 0;
  }

  private sizeDone(): void {
    this.state = this.left === 0 ? 'trailer' : 'data';
    this.lineLength = 0;
    this.sectionLength = 0;
  }

  private giveUp(): void {
    this.broken = true;
    this.state = 'until-close';
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** A repeated equal length is accepted; different lengths, or one that is not a number, are contradictory. */
function contentLength(headers: HeaderList): number | 'none' | 'contradictory' {
  let found: number | 'none' = 'none';
  for (const [name, value] of headers) {
    if (name.length !== 14 || name.toLowerCase() !== 'content-length') continue;
    for (const part of value.split(',')) {
      const text = part.trim();
      if (!/^\d{1,15}$/.test(text)) return 'contradictory';
      const length = Number(text);
      if (found !== 'none' && found !== length) return 'contradictory';
      found = length;
    }
  }
  return found;
}
