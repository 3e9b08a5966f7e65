import { createHash, hash } from 'node:crypto';
import type { Body } from '../model/body.ts';
import type { PayloadDigest } from '../model/capture.ts';
import type { ResponseMessage } from '../model/exchange.ts';
import { dechunk, dechunkStream } from '../model/http-message.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding; a SHA-1 (20 bytes) fills its 32 characters exactly. */
export function base32(bytes: Uint8Array): string {
  let out = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      out += ALPHABET[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
  }
  return bits > 0 ? out + ALPHABET[(value << (5 - bits)) & 31] : out;
}

function fromBase32(text: string): Buffer {
  const out: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of text.replace(/=+$/, '')) {
    value = ((value << 5) | ALPHABET.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      out.push((value >>> (bits - 8)) & 0xff);
      bits -= 8;
    }
  }
  return Buffer.from(out);
}

/** SHA-256 (hex) and SHA-1 (base32) of bytes in memory. */
export function digestBytes(bytes: Uint8Array): PayloadDigest {
  if (bytes.length === 0) return EMPTY_DIGEST;
  return {
    sha256: hash('sha256', bytes, 'hex'),
    sha1: base32(hash('sha1', bytes, 'buffer')),
    size: bytes.length,
  };
}

export const EMPTY_DIGEST: PayloadDigest = {
  sha256: hash('sha256', '', 'hex'),
  sha1: base32(hash('sha1', '', 'buffer')),
  size: 0,
};

export async function digestBody(body: Body): Promise<PayloadDigest> {
  return body.bytes ? digestBytes(body.bytes) : digestChunks(body.chunks());
}

export async function digestChunks(chunks: AsyncIterable<Uint8Array>): Promise<PayloadDigest> {
  const sha256 = createHash('sha256');
  const sha1 = createHash('sha1');
  let size = 0;
  for await (const chunk of chunks) {
    sha256.update(chunk);
    sha1.update(chunk);
    size += chunk.length;
  }
  return { sha256: sha256.digest('hex'), sha1: base32(sha1.digest()), size };
}

/** SHA-256 of a record block. */
export async function blockSha256(head: Uint8Array, body: Body): Promise<string> {
  const sha256 = createHash('sha256').update(head);
  if (body.bytes) sha256.update(body.bytes);
  else for await (const chunk of body.chunks()) sha256.update(chunk);
  return sha256.digest('hex');
}

/**
 * Digest of a response's payload. For a spooled body the digest of the record block is computed in the same
 * pass over the file and passed to `onBlock`.
 */
export async function responseDigest(
  response: ResponseMessage,
  onBlock: (sha256: string) => void,
): Promise<PayloadDigest> {
  const { body } = response;
  if (body.bytes) {
    return digestBytes(response.framing === 'chunked' ? dechunk(body.bytes).bytes : body.bytes);
  }
  const block = createHash('sha256').update(response.head);
  async function* tee(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body.chunks()) {
      block.update(chunk);
      yield chunk;
    }
  }
  const digest = await digestChunks(response.framing === 'chunked' ? dechunkStream(tee()) : tee());
  onBlock(block.digest('hex'));
  return digest;
}

export type DigestAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512';

export interface LabelledDigest {
  readonly algorithm: DigestAlgorithm;
  readonly bytes: Buffer;
}

const SIZES: Readonly<Record<DigestAlgorithm, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

/**
 * Parses a digest field of any tool: `sha1:`, `sha-256:`; hex, base32, base64 or base64url. A value without a
 * label is SHA-1, as in old CDX lines. undefined if it fits none.
 */
export function parseDigest(value: string): LabelledDigest | undefined {
  const colon = value.indexOf(':');
  const label = colon < 0 ? 'sha1' : value.slice(0, colon).toLowerCase().replace('-', '');
  if (!(label in SIZES)) return undefined;
  const algorithm = label as DigestAlgorithm;
  const size = SIZES[algorithm];
  const text = value.slice(colon + 1).trim();
  let bytes: Buffer | undefined;
  if (text.length === size * 2 && /^[0-9a-f]+$/i.test(text)) bytes = Buffer.from(text, 'hex');
  else if (/^[A-Z2-7]+=*$/i.test(text) && fromBase32(text.toUpperCase()).length === size) {
    bytes = fromBase32(text.toUpperCase());
  } else if (/^[0-9a-z+/_-]+=*$/i.test(text)) bytes = Buffer.from(text, 'base64url');
  return bytes?.length === size ? { algorithm, bytes } : undefined;
}

/** Digests of a body by the requested algorithms, in one pass. */
export async function digestAs(
  body: Body,
  algorithms: readonly DigestAlgorithm[],
): Promise<ReadonlyMap<DigestAlgorithm, Buffer>> {
  const { bytes } = body;
  if (bytes) return new Map(algorithms.map((algorithm) => [algorithm, hash(algorithm, bytes, 'buffer')]));
  const hashes = algorithms.map((algorithm) => [algorithm, createHash(algorithm)] as const);
  for await (const chunk of body.chunks()) for (const [, one] of hashes) one.update(chunk);
  return new Map(hashes.map(([algorithm, one]) => [algorithm, one.digest()]));
}
