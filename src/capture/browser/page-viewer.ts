/** The PageViewer over Chromium: a browser of its own that cannot reach any network, shown what is kept. */
import type { PageViewer, View, ViewRequest } from '../../ports/page-viewer.ts';
import { type BrowserRendererOptions, ChromiumRenderer } from './browser-renderer.ts';
import { Facts } from './facts.ts';
import { type FoundChromium, findChromium } from './find-chromium.ts';
import { KeptAnswers } from './kept-answers.ts';
import { VIEWPORT } from './tab.ts';

export type PageViewerOptions = Pick<
  BrowserRendererOptions,
  'chromium' | 'tabs' | 'viewport' | 'extraFlags' | 'onStep'
>;

/** Every request is held before it is made; what cannot be held (web sockets, prefetched names) finds no host. */
const HELD = [{ urlPattern: '*', requestStage: 'Request' }] as const;
const NO_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=direct://'];
/** Bytes of one answer. */
const SIZE_LIMIT = 64 * 1024 * 1024;

export async function openPageViewer(options: PageViewerOptions = {}): Promise<PageViewer> {
  const viewer = new ChromiumViewer(options, options.chromium ?? (await findChromium()));
  await viewer.start();
  return viewer;
}

class ChromiumViewer implements PageViewer {
  readonly #renderer: ChromiumRenderer;

  constructor(options: PageViewerOptions, chromium: FoundChromium) {
    this.#renderer = new ChromiumRenderer(
      { ...options, extraFlags: [...NO_NETWORK, ...(options.extraFlags ?? [])] },
      chromium,
      { viewport: options.viewport ?? VIEWPORT, held: HELD },
    );
  }

  start(): Promise<void> {
    return this.#renderer.start();
  }

  async view(request: ViewRequest): Promise<View> {
    const facts = new Facts();
    const { answer, scripts } = request;
    const kept = new KeptAnswers({ answer, scripts, sizeLimit: SIZE_LIMIT, facts });
    const rendering = await this.#renderer.renderKept(
      {
        url: request.url,
        userAgent: '',
        timeLimit: request.timeLimit,
        sizeLimit: SIZE_LIMIT,
        screenshots: false,
        snapshot: true,
        ...(request.wholePage && { wholePage: request.wholePage }),
        ...(request.signal && { signal: request.signal }),
      },
      kept,
      facts,
    );
    // Our own 404 in place of the document is nothing to look at.
    const shown = !kept.missing.has(rendering.finalUrl);
    return {
      finalUrl: rendering.finalUrl,
      title: rendering.title,
      snapshot: (shown && rendering.snapshot) || { kind: 'none', reason: 'nothing-shown' },
      ...(shown && rendering.fullView ? { fullView: rendering.fullView } : {}),
      missing: [...kept.missing],
      facts: rendering.facts,
    };
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }
}
