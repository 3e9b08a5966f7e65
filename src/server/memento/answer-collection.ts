import type { FastifyReply, FastifyRequest } from 'fastify';
import { asciiUrl, firstOfSecond, mementoLinks } from '../../access/memento/memento-links.ts';
import { nearestMemento } from '../../access/memento/nearest-memento.ts';
import { formatTimestamp, LATEST } from '../../access/replay-url.ts';
import { replayOrigin } from '../../model/replay-host.ts';
import type { Millis } from '../../model/time.ts';
import { RequestProblem } from '../api-error.ts';
import { answerMiss } from '../misses.ts';
import { replayPattern } from '../replay-config.ts';
import type { ReplayServerOptions } from '../replay-server.ts';
import { INERT_POLICY } from '../security-headers.ts';
import { sendCapture } from '../send-capture.ts';
import type { ServedArchive } from '../served-archive.ts';
import { answerPywb } from './answer-cdx.ts';
import { answerTimeMap, askedDatetime, preferred, redirectToMemento, varies } from './answer-memento.ts';
import { type CollectionPath, parseCollectionPath } from './collection-path.ts';

/** The view of pages that are opened by an address of theirs: its hosts are apart from those of the web page's own views. */
const OPENED = 'opened';

/** Everything below `/<collection>/`: captures as they were stored, Memento, CDX. No script is ever sent from here. */
export function collectionAnswer(options: ReplayServerOptions) {
  const { collection, archive, origins, scripts } = options;

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const host = request.headers.host;
    const path = parseCollectionPath(request.originalUrl, collection);
    const base = { origin: origins().raw(host), collection };
    if (path.kind === 'replay' && path.address.kind === 'list')
      return reply.redirect(`${origins().ui(host)}/#/page?url=${encodeURIComponent(path.address.url)}`, 302);
    reply.header('cache-control', 'no-store').header('content-security-policy', INERT_POLICY);
    const served = await archive();
    const { catalog } = served;
    if (path.kind === 'cdx') return answerPywb(reply, catalog, path.parameters, base);
    if (path.kind === 'timemap') {
      const map = await answerTimeMap(reply, catalog, path, base);
      if (!map && path.from !== undefined && (await nearestMemento(catalog, path.url, path.from)))
        throw new RequestProblem(
          404,
          `no capture of ${path.url} from ${formatTimestamp(path.from)} on`,
          `ask /${collection}/timemap/${path.format}/${path.url} for all of them`,
        );
      return map ?? answerMiss(request, reply, served, { kind: 'not-archived', url: path.url });
    }
    const { url, at, isPage } = asked(request, reply, path);
    if (isPage || (path.kind === 'timegate' && path.style === 'redirect')) {
      const fact = await nearestMemento(catalog, url, at);
      if (!fact) return answerMiss(request, reply, served, { kind: 'not-archived', url });
      return isPage ? toPage(request, reply, url, at) : redirectToMemento(reply, catalog, fact, base);
    }
    return send(request, reply, served, { url, at, base });
  };

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    served: ServedArchive,
    { url, at, base }: { url: string; at: Millis; base: { origin: string; collection: string } },
  ): Promise<FastifyReply> {
    const { resolver, catalog } = served;
    const named = await firstOfSecond(catalog, url, at);
    const found = await resolver.resolve(url, named?.at ?? at);
    if (found.kind !== 'found') return answerMiss(request, reply, served, { ...found, url });
    const links = await mementoLinks(catalog, base, found.capture.fact);
    const { pageReader } = options;
    return sendCapture(request, reply, found.capture, {
      dialect: 'raw',
      collection,
      archive: served,
      pageReader,
      links,
    });
  }

  /** The loader of the origin that replays the page's site; on its own it opens the web page around itself. */
  async function toPage(
    request: FastifyRequest,
    reply: FastifyReply,
    url: string,
    at: Millis,
  ): Promise<FastifyReply> {
    const origin = await replayOrigin(replayPattern(options, request), { url, view: OPENED, scripts });
    const mode = scripts ? 'scripts' : 'still';
    // Escaped once, as a browser spells it: the loader (web/replay/loader.ts) takes what stands there, and decodes nothing.
    const capture = `${mode}/${at === LATEST ? '' : formatTimestamp(at)}/${asciiUrl(url)}`;
    return reply.redirect(`${origin}/#${capture}`, 302);
  }
}

type Memento = Extract<CollectionPath, { kind: 'timegate' | 'replay' }>;

/** Which moment of which URL, and whether as a page to look at or as it was stored. */
function asked(
  request: FastifyRequest,
  reply: FastifyReply,
  path: Memento,
): { readonly url: string; readonly at: Millis; readonly isPage: boolean } {
  const preference = preferred(request, reply);
  if (path.kind === 'timegate') {
    varies(reply, request);
    const at = askedDatetime(request);
    return { url: path.url, at, isPage: preference ? preference === 'rewritten' : opensPage(request) };
  }
  const { address } = path;
  if (address.kind === 'list') throw new Error('a list is answered before');
  const { url, at, modifier } = address;
  return { url, at, isPage: preference !== 'raw' && isForPages(modifier) };
}

/** Addresses that a person opens: their site's origin shows them. The rest are parts of pages and go out as they are. */
function isForPages(modifier: string | undefined): boolean {
  return modifier === undefined || modifier === 'mp_' || modifier === 'if_' || modifier === 'fr_';
}

/** A browser that opens an address, not a client of the Memento protocol. */
function opensPage({ headers }: FastifyRequest): boolean {
  if (headers['accept-datetime'] !== undefined) return false;
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return ['document', 'iframe', 'frame'].includes(String(destination));
  return headers.accept?.includes('text/html') ?? false;
}
