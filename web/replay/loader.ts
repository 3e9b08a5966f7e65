import type { ReplayConfig } from '../../src/server/api-types.ts';
import { activeWorker } from './active-worker.ts';
import { container } from './container.ts';
import './guard.ts';
import {
  ELSEWHERE,
  type NamedCapture,
  parseCaptureHash,
  parseWorkerPath,
  type ReplayMessage,
} from './messages.ts';

/**
 * A page of ours on a replay origin: registers the service worker, and shows the capture that its hash names in a
 * frame. The web page steps through time by changing the hash. Archived scripts share its origin and can reach it,
 * so it holds nothing but the peer connections that they are not to have.
 */

/** wabac looks for its frame by this name. */
const FRAME_NAME = '___wb_replay_top_frame';
/** As in src/server/security-headers.ts, which says why no more is allowed. */
const SANDBOX = {
  scripts: 'allow-scripts allow-same-origin allow-forms allow-modals',
  still: 'allow-same-origin',
};

function tell(message: ReplayMessage): void {
  // Only the web page may frame this document (frame-ancestors), so any parent is the right one.
  window.parent.postMessage(message, '*');
}

function fail(error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  const status = document.getElementById('status');
  if (status) status.textContent = detail;
  tell({ type: 'daguerre-replay', state: 'failed', detail });
}

function report(frame: HTMLIFrameElement): void {
  let page: Document | null = null;
  try {
    page = frame.contentDocument;
  } catch {
    // A page that made itself an opaque origin can still be looked at.
  }
  const at = page?.location;
  const capture = at ? parseWorkerPath(at.pathname + at.search + at.hash) : undefined;
  if (at && !capture) return;
  const { url, timestamp } = capture ?? { url: '', timestamp: '' };
  const mark = page?.querySelector('meta[name="daguerre-replay"]')?.getAttribute('content');
  if (mark === ELSEWHERE) {
    tell({ type: 'daguerre-replay', state: 'moved', url, timestamp });
    return;
  }
  const state = mark === 'not-archived' || mark === 'original-missing' ? mark : 'shown';
  document.title = page?.title || 'Replay';
  tell({ type: 'daguerre-replay', state, url, title: page?.title ?? '' });
}

function newFrame(mode: NamedCapture['mode']): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.name = FRAME_NAME;
  frame.title = 'Archived page';
  frame.dataset.mode = mode;
  frame.setAttribute('sandbox', SANDBOX[mode]);
  frame.setAttribute('allow', 'autoplay; fullscreen');
  frame.addEventListener('load', () => report(frame));
  return frame;
}

let frame: HTMLIFrameElement | undefined;

function show(): void {
  const capture = parseCaptureHash(location.hash);
  if (!capture) {
    fail('No capture is named in the address: open one from the list of captures.');
    return;
  }
  tell({ type: 'daguerre-replay', state: 'loading' });
  const path = `/w/${capture.mode}/${capture.timestamp}mp_/${capture.url}`;
  if (frame?.isConnected && frame.contentWindow && frame.dataset.mode === capture.mode) {
    // replace: a step in time is no step in the history of the frame.
    frame.contentWindow.location.replace(path);
    return;
  }
  frame = newFrame(capture.mode);
  frame.src = path;
  document.body.replaceChildren(frame);
}

async function start(): Promise<void> {
  const config = (await (await fetch('/loader/config.json')).json()) as ReplayConfig;
  if (window.parent === window) {
    // On its own, this page would not be held by the web page's sandbox.
    const { url = '', timestamp = '' } = parseCaptureHash(location.hash) ?? {};
    location.replace(`${config.ui}/#/replay?${new URLSearchParams({ url, at: timestamp })}`);
    return;
  }
  tell({ type: 'daguerre-replay', state: 'loading' });
  await activeWorker(container);
  window.addEventListener('message', (event: MessageEvent) => {
    if (!frame || event.source !== frame.contentWindow) return;
    const kind: unknown = event.data?.wb_type;
    if (kind === 'load' || kind === 'replace-url' || kind === 'title') report(frame);
  });
  window.addEventListener('hashchange', show);
  show();
}

start().catch(fail);
