import { type ArchiveRequest, type ArchiveResponse, Collection, LiveProxy } from '@webrecorder/wabac/swlib';
import type { ReplayConfig, ReplayMode } from '../../src/server/api-types.ts';

/** The guard's script, put in by the build. */
declare const GUARD: string;

/** When the document was captured that asks for this. */
export const pageTimes = new WeakMap<ArchiveRequest, string>();

/** Asks our server, and tells it which answers become documents: those it prepares; and of which document the others are. */
class ArchiveProxy extends LiveProxy {
  override async getResource(request: ArchiveRequest, prefix: string) {
    const page = pageTimes.get(request);
    const mark =
      request.mode === 'navigate'
        ? (['x-replay-document', '1'] as const)
        : page !== undefined
          ? (['x-replay-page', page] as const)
          : undefined;
    if (mark) {
      const prepare = request.prepareProxyRequest.bind(request);
      request.prepareProxyRequest = (...given) => {
        const prepared = prepare(...given);
        prepared.headers.set(mark[0], mark[1]);
        return prepared;
      };
    }
    return super.getResource(request, prefix);
  }
}

/** wabac's rewriting over our server's answers. Nothing is read from storage, where archived scripts write. */
export class ArchiveCollection extends Collection {
  readonly #mode: ReplayMode;
  readonly #config: ReplayConfig;
  /** Documents that start with the guard. */
  readonly #guarded = new WeakSet<ArchiveResponse>();

  constructor(mode: ReplayMode, config: ReplayConfig, origin: string) {
    const extraConfig = {
      prefix: `${origin}${config.sources[mode]}`,
      isLive: false,
      archivePrefix: '',
      archiveMod: 'id_',
      csp: config.policies.unguarded,
    };
    const store = new ArchiveProxy(extraConfig);
    const prefixes = {
      static: `${origin}/static/`,
      root: `${origin}/`,
      main: `${origin}/w/`,
      proxy: `${origin}/static/proxy/`,
      api: `${origin}/w/api/`,
    };
    // biome-ignore lint/suspicious/noExplicitAny: wabac's own types ask for fields that it does not read here.
    super({ name: mode, store, config: { extraConfig, decode: true, metadata: {} } } as any, prefixes, {});
    this.#mode = mode;
    this.#config = config;
  }

  override makeHeadInsert(...given: Parameters<Collection['makeHeadInsert']>): string {
    if (this.#mode === 'still') return '';
    this.#guarded.add(given[4]);
    return `<script>${GUARD}</script>${super.makeHeadInsert(...given)}`;
  }

  override async fullRewrite(...given: Parameters<Collection['fullRewrite']>): Promise<ArchiveResponse> {
    const rewritten = await super.fullRewrite(...given);
    const { policies, permissions } = this.#config;
    const isDocument = given[0].mode === 'navigate';
    // SVG, XML and HTML past wabac's limit have no guard in them: their scripts must not run.
    const isOpen = this.#mode === 'scripts' && isDocument && !this.#guarded.has(given[1]);
    rewritten.headers.set('Content-Security-Policy', isOpen ? policies.unguarded : policies[this.#mode]);
    rewritten.headers.set('Permissions-Policy', permissions);
    for (const name of ['Link', 'Refresh', 'Speculation-Rules', 'Set-Cookie']) rewritten.headers.delete(name);
    return rewritten;
  }

  /** A page made by a script: read as UTF-8 by wabac and the browser alike. */
  override async getBlobResponse(url: string): Promise<ArchiveResponse> {
    const made = await super.getBlobResponse(url);
    const type = made.headers.get('content-type') ?? '';
    if (!/^text\/html/iu.test(type)) return made;
    const bytes = (await made.getBuffer()) ?? new Uint8Array();
    const text = decoder(/charset\s*=\s*["']?([^\s"';]+)/iu.exec(type)?.[1]).decode(
      bytes as Uint8Array<ArrayBuffer>,
    );
    made.headers.set('content-type', 'text/html; charset=utf-8');
    made.setBuffer(new TextEncoder().encode(text));
    return made;
  }
}

function decoder(name: string | undefined): TextDecoder {
  try {
    return new TextDecoder(name ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}
