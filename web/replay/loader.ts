import type { LoaderConfig } from '../../src/server/api-types.ts';
import { archivedUrl, parseCaptureHash, type ReplayMessage } from './messages.ts';

/**
 * A page of ours on the replay origin: registers wabac's service worker, tells it where the archive is, and
 * shows the capture that its hash names in a frame. The web page steps through time by changing the hash.
 */

/** wabac looks for its frame by this name. */
const FRAME_NAME = '___wb_replay_top_frame';
/** No top navigation: an archived script must not lead the visitor away. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads';
/** A worker that does not answer within this many milliseconds is reported, not awaited for ever. */
const WORKER_PATIENCE = 20 * 1000;

function tell(message: ReplayMessage): void {
  // Only the web page may frame this document (frame-ancestors), so any parent is the right one.
  if (window.parent !== window) window.parent.postMessage(message, '*');
}

function fail(error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  const status = document.getElementById('status');
  if (status) status.textContent = detail;
  tell({ type: 'daguerre-replay', state: 'failed', detail });
}

async function activeWorker(): Promise<ServiceWorker> {
  if (!('serviceWorker' in navigator)) {
    throw new Error(
      'This browser allows no service worker here, and replay needs one. Open the archive by http://127.0.0.1 or by https, outside a private window.',
    );
  }
  await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  const { active } = await navigator.serviceWorker.ready;
  if (!active) throw new Error('The service worker did not start: reload the page.');
  return active;
}

function addCollection(worker: ServiceWorker, config: LoaderConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('The service worker does not answer: reload the page.')),
      WORKER_PATIENCE,
    );
    navigator.serviceWorker.addEventListener('message', (event: MessageEvent) => {
      if (event.data?.name !== config.name) return;
      if (event.data.msg_type === 'collAdded') {
        clearTimeout(timer);
        resolve();
      } else if (event.data.error) {
        clearTimeout(timer);
        reject(new Error(String(event.data.error)));
      }
    });
    navigator.serviceWorker.startMessages();
    worker.postMessage({
      msg_type: 'addColl',
      name: config.name,
      type: 'live',
      skipExisting: true,
      file: { sourceUrl: config.sourceUrl },
      extraConfig: config.extraConfig,
    });
  });
}

function report(frame: HTMLIFrameElement): void {
  let page: Document | null = null;
  try {
    page = frame.contentDocument;
  } catch {
    // A page that made itself an opaque origin can still be looked at.
  }
  const url = page ? archivedUrl(page.location.pathname + page.location.search + page.location.hash) : '';
  if (url === undefined) return;
  const mark = page?.querySelector('meta[name="daguerre-replay"]')?.getAttribute('content');
  const state = mark === 'not-archived' || mark === 'original-missing' ? mark : 'shown';
  document.title = page?.title || 'Replay';
  tell({ type: 'daguerre-replay', state, url, title: page?.title ?? '' });
}

function show(frame: HTMLIFrameElement, name: string): void {
  const capture = parseCaptureHash(location.hash);
  if (!capture) {
    fail('No capture is named in the address: open one from the list of captures.');
    return;
  }
  tell({ type: 'daguerre-replay', state: 'loading' });
  const path = `/w/${name}/${capture.timestamp}mp_/${capture.url}`;
  if (frame.isConnected && frame.contentWindow) {
    // replace: a step in time is no step in the history of the frame.
    frame.contentWindow.location.replace(path);
    return;
  }
  frame.src = path;
  document.body.replaceChildren(frame);
}

async function start(): Promise<void> {
  tell({ type: 'daguerre-replay', state: 'loading' });
  const [worker, config] = await Promise.all([
    activeWorker(),
    fetch('/loader/config.json').then((response) => response.json() as Promise<LoaderConfig>),
  ]);
  await addCollection(worker, config);
  const frame = document.createElement('iframe');
  frame.name = FRAME_NAME;
  frame.title = 'Archived page';
  frame.setAttribute('sandbox', SANDBOX);
  frame.setAttribute('allow', 'autoplay; fullscreen');
  frame.addEventListener('load', () => report(frame));
  window.addEventListener('message', (event: MessageEvent) => {
    if (event.source !== frame.contentWindow) return;
    const kind: unknown = event.data?.wb_type;
    if (kind === 'load' || kind === 'replace-url' || kind === 'title') report(frame);
  });
  window.addEventListener('hashchange', () => show(frame, config.name));
  show(frame, config.name);
}

start().catch(fail);
