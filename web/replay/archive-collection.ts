import { type ArchiveResponse, Collection } from '@webrecorder/wabac/swlib';
import type { ReplayConfig, ReplayMode } from '../../src/server/api-types.ts';
import { ArchiveStore } from './archive-store.ts';

/** The guard's script, put in by the build. */
declare const GUARD: string;
/** The folder of wombat on our server, put in by the build. */
declare const STATIC: string;

/** wombat's worker that fetches what a recording could miss: in replay there is nothing to record. */
const FETCHES_AHEAD = /wbinfo\.enable_auto_fetch = true;/u;

/** wabac's rewriting over our server's answers. Nothing is read from storage, where archived scripts write. */
export class ArchiveCollection extends Collection {
  readonly #mode: ReplayMode;
  readonly #config: ReplayConfig;
  /** Documents that start with the guard. */
  readonly #guarded = new WeakSet<ArchiveResponse>();

  constructor(mode: ReplayMode, config: ReplayConfig, origin: string) {
    const extraConfig = { csp: config.policies.unguarded };
    const store = new ArchiveStore(`${origin}${config.sources[mode]}`);
    const prefixes = {
      static: `${origin}${STATIC}`,
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
    const insert = super.makeHeadInsert(...given).replace(FETCHES_AHEAD, '');
    return `<script>${GUARD}</script>${insert}`;
  }

  override async fullRewrite(...given: Parameters<Collection['fullRewrite']>): Promise<ArchiveResponse> {
    const rewritten = await super.fullRewrite(...given);
    const { policies, permissions } = this.#config;
    const isDocument = given[0].mode === 'navigate';
    // SVG, XML and HTML past wabac's limit have no guard in them: their scripts must not run.
    const isOpen = this.#mode === 'scripts' && isDocument && !this.#guarded.has(given[1]);
    rewritten.headers.set('Content-Security-Policy', isOpen ? policies.unguarded : policies[this.#mode]);
    rewritten.headers.set('Permissions-Policy', permissions);
    // In one piece: wabac hands HTML on tag by tag.
    if (isDocument) await rewritten.getBuffer();
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
