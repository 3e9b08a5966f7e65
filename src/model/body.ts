/**
 * The bytes of a message body. Most pages fit in memory; a 300 MB download does not, and is spooled to a
 * file by the adapter that captured it. Readers use `chunks()`; `bytes` is the shortcut for the small case.
 */
export interface Body {
  readonly size: number;
  /** The whole content when it is held in memory; undefined when it is spooled. */
  readonly bytes: Uint8Array | undefined;
  /** May be called more than once: each call reads from the start. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Frees the spool file, if any. Idempotent. */
  release(): Promise<void>;
}

export function memoryBody(bytes: Uint8Array): Body {
  return {
    size: bytes.byteLength,
    bytes,
    async *chunks() {
      if (bytes.byteLength > 0) yield bytes;
    },
    release: async () => {},
  };
}

/** Decodes as UTF-8. */
export async function textOf(body: Body): Promise<string> {
  const decoder = new TextDecoder();
  if (body.bytes) return decoder.decode(body.bytes);
  let text = '';
  for await (const chunk of body.chunks()) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

export const EMPTY_BODY: Body = memoryBody(new Uint8Array(0));
