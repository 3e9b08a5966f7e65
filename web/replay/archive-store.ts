import { type ArchiveRequest, ArchiveResponse, type DBStore } from '@webrecorder/wabac/swlib';
import { DOCUMENT_SIZE, documentWithParts, type PageParts } from './page-parts.ts';

/** The document that asks for something. */
export interface AskingPage {
  /** When it was captured. */
  readonly taken: string;
  /** What came with it. */
  readonly parts: PageParts | undefined;
}
export const askingPages = new WeakMap<ArchiveRequest, AskingPage>();
/** What came with a document, by the request for that. */
export const partsOf = new WeakMap<ArchiveRequest, PageParts>();

/** What wabac writes into the addresses of frames. */
export const FRAME_MODIFIERS = new Set(['if_', 'fr_', 'oe_']);

/** Of these the browser takes what it is sent, and tells scripts nothing of its header fields. */
const TAKEN_AS_SENT = new Set(['image', 'font', 'audio', 'video', 'track']);
/** Formats without addresses in them. SVG has them, and is read under the policy that it comes with. */
const WITHOUT_ADDRESSES =
  /^(?:image\/(?!svg)|font\/|audio\/(?!.*mpegurl)|video\/|application\/(?:octet-stream|(?:x-)?font-|vnd\.ms-fontobject))/iu;
/** What wabac rewrites, and so reads as a whole. */
const REWRITTEN = /^(?:text\/|application\/(?:x-)?(?:javascript|json)|$)/iu;
const REWRITTEN_FOR = new Set(['document', 'iframe', 'frame', 'script', 'style', 'worker', 'sharedworker']);

/**
 * Asks our server, and tells it which answers become documents: those it prepares; and of which document the others are. wabac's
 * own proxy copies all header fields there and back, and each body piece by piece: here an
 * answer that needs no rewriting goes to the page as the server sent it, and text is read in one piece.
 */
export class ArchiveStore implements DBStore {
  readonly #source: string;

  /** `source`: where captures are asked for. */
  constructor(source: string) {
    this.#source = source;
  }

  async getResource(request: ArchiveRequest): Promise<Response | ArchiveResponse> {
    const { url, method, timestamp, request: asked } = request;
    const headers: [string, string][] = [];
    for (const name of ['accept', 'range']) {
      const value = asked.headers.get(name);
      if (value !== null) headers.push([name, value]);
    }
    const page = askingPages.get(request);
    const isFrame = FRAME_MODIFIERS.has(request.mod);
    if (request.mode === 'navigate')
      headers.push(['x-replay-document', isFrame ? 'frame' : 'page'], ['x-replay-parts', '1']);
    else if (page) headers.push(['x-replay-page', page.taken]);
    const moment = timestamp === '' ? '' : `${timestamp}id_/`;
    const address = withScheme(url, asked);
    const isPart = request.mode !== 'navigate' && method === 'GET' && !asked.headers.has('range');
    const response =
      (isPart ? await page?.parts?.take(address) : undefined) ??
      (await fetch(this.#source + moment + address, {
        method,
        headers,
        credentials: 'same-origin',
        redirect: 'error',
      }));
    const type = response.headers.get('content-type') ?? '';
    const isCapture = response.ok && !response.headers.has('x-redirect-status');
    if (isCapture && TAKEN_AS_SENT.has(request.destination) && WITHOUT_ADDRESSES.test(type)) return response;
    // A fault of the server is told as it is.
    const told = { url, noRW: response.status > 400 && response.status !== 404 };
    const whole = await documentWithParts(response);
    if (whole) partsOf.set(request, whole.parts);
    const isWhole = REWRITTEN_FOR.has(request.destination) || REWRITTEN.test(type);
    const bytes = whole?.document ?? (isWhole ? new Uint8Array(await response.arrayBuffer()) : undefined);
    return archived(response, bytes, told);
  }

  async getAllPages(): Promise<never[]> {
    return [];
  }

  async delete(): Promise<void> {
    // Nothing is kept.
  }
}

/** Scripts write addresses without a scheme, which is then that of their page. */
function withScheme(url: string, { referrer }: Request): string {
  if (!url.startsWith('//')) return url;
  return `${/\/(https?:)\/\//u.exec(referrer.replace(/^\w+:\/\//u, ''))?.[1] ?? 'https:'}${url}`;
}

/** The archived answer, told in the header fields of src/server/send-capture.ts; `bytes` where they were read. */
function archived(
  response: Response,
  bytes: Uint8Array | undefined,
  told: { readonly url: string; readonly noRW: boolean },
): ArchiveResponse {
  const { status, statusText, headers } = response;
  const made = ArchiveResponse.fromResponse({
    ...told,
    date: new Date(),
    isLive: false,
    archivePrefix: '',
    response: bytes ? new Response(null, { status, statusText, headers }) : response,
  });
  // The browser has decoded it.
  made.headers.delete('content-encoding');
  made.headers.delete(DOCUMENT_SIZE);
  if (bytes) made.setBuffer(bytes);
  return made;
}
