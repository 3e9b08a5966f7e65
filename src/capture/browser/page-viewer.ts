/**
 * The PageViewer over Chromium: a browser of its own that cannot reach any network, and is shown what is kept.
 */
import type { PageViewer } from '../../ports/page-viewer.ts';
import { type BrowserRendererOptions, ChromiumRenderer } from './browser-renderer.ts';
import { Facts } from './facts.ts';
import { KeptAnswers } from './kept-answers.ts';

/** Every request is held before it is made; what cannot be held (web sockets, DNS prefetches) finds no host. */
const HELD = [{ urlPattern: '*', requestStage: 'Request' }] as const;
const NO_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=direct://'];
/** A service worker could not be given its script, and would have nothing to fetch. */
const MANNER = { held: HELD, serviceWorkers: false } as const;
/** Bytes of one answer. */
const SIZE_LIMIT = 64 * 1024 * 1024;

export async function openPageViewer(
  options: Pick<BrowserRendererOptions, 'tabs' | 'onStep' | 'viewport'> = {},
): Promise<PageViewer> {
  const renderer = await ChromiumRenderer.start({ ...options, extraFlags: NO_NETWORK }, MANNER);
  return {
    async view({ answer, scripts, pictures = false, ...request }) {
      const facts = new Facts();
      const kept = new KeptAnswers({ answer, scripts, sizeLimit: SIZE_LIMIT, facts });
      const manner = { userAgent: '', sizeLimit: SIZE_LIMIT, screenshots: pictures, snapshot: true };
      const asked = { ...request, ...manner };
      const rendering = await renderer.render(asked, facts, kept);
      // Our own 404 in place of the document is not worth looking at.
      const shown = !kept.missing.has(rendering.finalUrl);
      return {
        finalUrl: rendering.finalUrl,
        title: rendering.title,
        snapshot: (shown && rendering.snapshot) || { kind: 'none', reason: 'nothing-shown' },
        ...(shown && rendering.fullView ? { fullView: rendering.fullView } : {}),
        ...(shown && rendering.view ? { firstScreen: rendering.view } : {}),
        ...(shown && rendering.thumbnail ? { thumbnail: rendering.thumbnail } : {}),
        missing: [...kept.missing],
        facts: rendering.facts,
      };
    },
    close: () => renderer.close(),
  };
}
