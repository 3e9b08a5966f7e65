import type { ListedParts, PartHead } from '../../src/server/api-types.ts';

/** Of an answer that has parts behind its document: where they begin. */
export const DOCUMENT_SIZE = 'x-archive-document-size';
const LINE_END = 10;

/** Pages whose parts are held at once, of 4 MB each at most (src/server/page-with-parts.ts). */
const MOST_PAGES = 8;
/** Milliseconds for which a page may ask for what came with it. */
const HELD = 30_000;
const held = new Set<PageParts>();

/** What came with a document, until its page asks for it. Each part is given once: whoever asks again is answered by the server. */
export class PageParts {
  readonly #source: ByteSource;
  readonly #common: Headers;
  readonly #listed: Promise<void>;
  readonly #parts = new Map<string, Promise<Response | undefined>>();
  readonly #arriving = new Map<string, (part: Response | undefined) => void>();

  /** @param common header fields that our server sends with every capture */
  constructor(source: ByteSource, common: Headers) {
    this.#source = source;
    this.#common = common;
    held.add(this);
    for (const oldest of held) {
      if (held.size <= MOST_PAGES) break;
      oldest.drop();
    }
    this.#listed = this.#list();
    const isOver = (): void => {
      for (const arrive of this.#arriving.values()) arrive(undefined);
      this.#arriving.clear();
      setTimeout(() => this.drop(), HELD);
    };
    this.#listed.then(() => this.#read()).then(isOver, isOver);
  }

  /** Undefined for what did not come along. */
  async take(url: string): Promise<Response | undefined> {
    await this.#listed.catch(() => {});
    const part = this.#parts.get(url);
    this.#parts.delete(url);
    return part;
  }

  drop(): void {
    held.delete(this);
    this.#parts.clear();
    this.#source.cancel();
  }

  async #list(): Promise<void> {
    const { parts } = (await this.#source.line()) as ListedParts;
    if (!held.has(this)) return;
    for (const url of parts) this.#parts.set(url, new Promise((arrive) => this.#arriving.set(url, arrive)));
  }

  async #read(): Promise<void> {
    while (this.#arriving.size > 0) {
      const { url, size, headers } = (await this.#source.line()) as PartHead;
      const part = size === undefined ? undefined : this.#response(headers, await this.#source.bytes(size));
      this.#arriving.get(url)?.(part);
      this.#arriving.delete(url);
    }
  }

  #response(fields: PartHead['headers'], bytes: Uint8Array<ArrayBuffer>): Response {
    const headers = new Headers(this.#common);
    for (const [name, value] of fields ?? []) headers.set(name, value);
    return new Response(bytes, { headers });
  }
}

/** The header fields of our own on each answer of the server, whatever was captured. */
const COMMON = [
  'cache-control',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-dns-prefetch-control',
];

/** The document, and what comes behind it; undefined where nothing does. */
export async function documentWithParts({
  headers,
  body,
}: Response): Promise<{ readonly document: Uint8Array<ArrayBuffer>; readonly parts: PageParts } | undefined> {
  const size = headers.get(DOCUMENT_SIZE);
  if (size === null || !body) return undefined;
  const source = new ByteSource(body.getReader());
  const document = await source.bytes(Number(size));
  const common = new Headers();
  for (const name of COMMON) {
    const value = headers.get(name);
    if (value !== null) common.set(name, value);
  }
  return { document, parts: new PageParts(source, common) };
}

/** Takes lines and counted bytes from a stream, whatever pieces it comes in. */
class ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #rest: Uint8Array<ArrayBuffer> = new Uint8Array();

  constructor(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
    this.#reader = reader;
  }

  async line(): Promise<unknown> {
    let from = 0;
    for (;;) {
      const end = this.#rest.indexOf(LINE_END, from);
      if (end >= 0) return JSON.parse(new TextDecoder().decode((await this.bytes(end + 1)).subarray(0, end)));
      from = this.#rest.length;
      await this.#more(from + 1);
    }
  }

  /** A copy, so that what came with it is not held for its sake. */
  async bytes(size: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.#more(size);
    const taken = this.#rest.slice(0, size);
    this.#rest = this.#rest.subarray(size);
    return taken;
  }

  cancel(): void {
    this.#reader.cancel().catch(() => {});
  }

  async #more(size: number): Promise<void> {
    if (this.#rest.length >= size) return;
    const pieces = [this.#rest];
    let length = this.#rest.length;
    while (length < size) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error('the answer ends too early');
      pieces.push(value);
      length += value.length;
    }
    this.#rest = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      this.#rest.set(piece, at);
      at += piece.length;
    }
  }
}
