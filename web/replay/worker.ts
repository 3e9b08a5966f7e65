import { ArchiveRequest } from '@webrecorder/wabac/swlib';
import { isSeparated, siteLabel, stillLabel, viewOf } from '../../src/model/replay-host.ts';
import { siteOf } from '../../src/model/site.ts';
import type { ReplayMode } from '../../src/server/api-types.ts';
import { ArchiveCollection } from './archive-collection.ts';
import { type AskingPage, askingPages, FRAME_MODIFIERS, partsOf } from './archive-store.ts';
import { elsewherePage } from './elsewhere-page.ts';
import type { FetchEvent, WorkerScope } from './worker-scope.ts';

/**
 * The service worker of a replay origin. Archived scripts share its origin, so it takes nothing from them: its
 * configuration came with its code, it listens to no messages, and it reads neither IndexedDB nor caches.
 */
const scope = self as unknown as WorkerScope;
const config = scope.replayConfig;
const { origin, hostname } = scope.location;
const ownLabel = hostname.split('.', 1)[0];
const view = viewOf(hostname);

const collections: Readonly<Record<ReplayMode, ArchiveCollection>> = {
  scripts: new ArchiveCollection('scripts', config, origin),
  still: new ArchiveCollection('still', config, origin),
};
/** The guard's script, put in by the build. */
declare const GUARD: string;
/** The folder of wombat on our server, put in by the build. */
declare const STATIC: string;
const POLICIES = new Set(Object.values(config.policies));
/** Our own code, which the server sends. */
const OURS = /^\/(?:$|sw\.js$|assets\/|loader\/|static\/)/;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('fetch', (event) => {
  // wombat, which the browser keeps as it was compiled: not of an answer that comes from here.
  if (isWombat(event.request)) return;
  event.respondWith(answer(event).then(sealed));
});

function isWombat({ url, destination }: Request): boolean {
  return destination === 'script' && url.startsWith(`${origin}${STATIC}`);
}

async function answer(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const url = new URL(request.url);
  // Nothing leaves the archive, whatever policy a document came with.
  if (url.origin !== origin) return Response.error();
  if (url.pathname === '/static/guard.js')
    return new Response(GUARD, { headers: { 'content-type': 'text/javascript' } });
  const mode = /^\/w\/(scripts|still)\//.exec(url.pathname)?.[1] as ReplayMode | undefined;
  if (mode !== undefined) return replay(event, mode);
  // Our own files are no documents: a frame that shows one would be a realm without a guard.
  if (OURS.test(url.pathname) && (request.mode !== 'navigate' || url.pathname === '/')) return fetch(request);
  return new Response('', { status: 404 });
}

/**
 * The documents on the screen: their parts are those of the time at which they were captured, not of the day that was asked for. A
 * worker that was put to sleep has forgotten it; parts are then the closest to the day.
 */
const documents = new Map<string, AskingPage>();
const MOST_DOCUMENTS = 500;

function remember(client: string, taken: string | null, parts: AskingPage['parts']): void {
  if (client === '' || taken === null) return;
  documents.set(client, { taken, parts });
  for (const oldest of documents.keys()) {
    if (documents.size <= MOST_DOCUMENTS) break;
    documents.delete(oldest);
  }
}

async function replay(event: FetchEvent, mode: ReplayMode): Promise<Response> {
  const { request } = event;
  const collection = collections[mode];
  const asked = new ArchiveRequest(request.url.slice(collection.prefix.length), request, {
    defaultReplayMode: true,
  });
  if (!asked.url || !asked.mod) return new Response('', { status: 404 });
  if (mode === 'scripts' && !config.scripts) {
    return Response.redirect(`${origin}${request.url.slice(origin.length).replace('scripts', 'still')}`, 302);
  }
  const elsewhere = request.mode === 'navigate' ? await otherHost(asked, mode) : undefined;
  if (elsewhere !== undefined) return leave(asked, `${elsewhere}${request.url.slice(origin.length)}`);
  const page = documents.get(event.clientId);
  if (page) askingPages.set(asked, page);
  // biome-ignore lint/suspicious/noExplicitAny: wabac names the event by a library that clashes with the DOM's.
  const response = await collection.handleRequest(asked, event as any);
  if (request.mode === 'navigate')
    remember(event.resultingClientId, response.headers.get('x-archive-taken'), partsOf.get(asked));
  const target = response.headers.get('location');
  if (target === null || !FRAME_MODIFIERS.has(asked.mod)) return response;
  // A redirect inside a frame stays inside that frame.
  const headers = new Headers(response.headers);
  headers.set('location', target.replace(/^(.*?\/w\/\w+\/\d*)mp_\//u, `$1${asked.mod}/`));
  return new Response(null, { status: response.status, headers });
}

/** The archived site of this host, once a document of it was asked for. */
let ownSite = '';

/** The host that this document belongs to, where it is another than ours. */
async function otherHost(asked: ArchiveRequest, mode: ReplayMode): Promise<string | undefined> {
  if (!isSeparated(config.pattern)) return undefined;
  const site = mode === 'still' ? '' : siteOf(asked.url);
  // No digest is made for each page of the same site.
  if (site !== '' && site === ownSite) return undefined;
  const label = mode === 'still' ? stillLabel(view) : await siteLabel(asked.url, view);
  // `about:blank`, `srcdoc:` and `blob:` are of the page that made them.
  const isOwn = label === undefined ? ownLabel !== stillLabel(view) : label === ownLabel;
  if (!isOwn) return config.pattern.replace('*', label ?? '');
  if (label !== undefined && site !== '') ownSite = site;
  return undefined;
}

function leave({ mod }: ArchiveRequest, target: string): Response {
  if (FRAME_MODIFIERS.has(mod)) return Response.redirect(target, 302);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': config.policies.scripts,
    'permissions-policy': config.permissions,
  };
  const inFrame = target.replace(/^(.*?\/w\/\w+\/\d*)[a-z]*_?\//u, '$1if_/');
  return new Response(elsewherePage(inFrame), { headers });
}

/** No answer without a policy: wabac's own error pages come with one that lets sockets through. */
function sealed(response: Response): Response {
  if (response.type === 'error' || response.type === 'opaqueredirect') return response;
  if (POLICIES.has(response.headers.get('content-security-policy') ?? '')) return response;
  // Our own pages have a policy of the server's.
  if (response.url !== '' && OURS.test(new URL(response.url).pathname)) return response;
  const headers = new Headers(response.headers);
  headers.set('content-security-policy', config.policies.unguarded);
  const body = [101, 204, 205, 304].includes(response.status) ? null : response.body;
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
