import { memoryBody, textOf } from '../model/body.ts';
import type { CaptureFact, DerivedRecord, PageInfo } from '../model/capture.ts';
import { layoutUri, pageInfoUri, snapshotUri, templateUri } from '../model/derived-uris.ts';
import { type Exchange, header, mediaType, type ResponseMessage } from '../model/exchange.ts';
import type { LostRequest } from '../model/lost-request.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import type { Filling, FillRequest, TemplateFiller } from '../ports/page-analyser.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { type RecordReader, storedResponse } from '../ports/record-store.ts';
import {
  isVerifyingTurn,
  type TemplateTurn,
  type TurnOutcome,
  turnAfter,
} from '../science/layout/template/verify-turn.ts';
import type { FetchedResources } from './fetch-resources.ts';
import {
  LARGEST_PICTURE,
  type PictureDigests,
  pictureDigests,
  picturesOf,
  sha256,
} from './stored/snapshot.ts';

export interface FillPorts {
  readonly filler: TemplateFiller;
  readonly catalog: CaptureCatalog;
  readonly reader: RecordReader;
  readonly pageReader: PageReader;
}

/** A page that can be filled: its HTML has the structure of a rendered version. */
export interface FillablePage {
  readonly rendered: RenderedCapture;
  readonly request: FillRequest;
  readonly filling: Filling & { readonly kind: 'filled' };
  readonly last: TemplateTurn | undefined;
  /** To be rendered too, and compared. */
  readonly verify: boolean;
}

/** A page whose layout no browser made; everything a rendering would have given, except pictures of it. */
export interface FilledPage {
  readonly title: string;
  readonly text: string;
  readonly viXml: string;
  readonly exchanges: readonly Exchange[];
  /** What it embeds that could not be fetched. */
  readonly lost: readonly LostRequest[];
  readonly record: DerivedRecord;
  readonly facts: readonly string[];
}

/** What is archived of the last capture that a browser showed. */
interface RenderedCapture {
  readonly snapshot: CaptureFact;
  readonly layout: CaptureFact | undefined;
  readonly document: { readonly url: string; readonly response: ResponseMessage };
  readonly info: PageInfo;
}

/**
 * What can be fetched again over HTTP. A page that loads anything else (frames, data requested by its scripts) is always
 * rendered: its scripts may request more the next time.
 */
const BY_HTTP = new Set(['stylesheet', 'image', 'media', 'font', 'script', 'alternative']);
/** These decide what a page looks like: with other bytes, nothing is known about it. */
const DECISIVE = new Set(['stylesheet', 'script']);
/** Header fields that change how a page is shown. */
const TELLING = ['content-type', 'content-security-policy', 'link', 'refresh'];
/** Bytes. */
const LARGEST_SOURCE = 64 << 20;
/** Milliseconds after the page within which what it loaded may have begun. */
const LOADING = 10 * 60 * 1000;

/** Stage, first half: may the layout be filled from a template? Undefined if the page must be rendered. */
export async function fillablePage(
  content: Exchange,
  at: Millis,
  every: number,
  ports: FillPorts,
): Promise<FillablePage | undefined> {
  const { filler, catalog, reader, pageReader } = ports;
  const { url, response } = content;
  if (response.status !== 200 || mediaType(response.headers) !== 'text/html') return undefined;
  const rendered = await lastRendered(url, at, ports);
  if (!rendered || !isStatic(rendered, response)) return undefined;
  const [html, before] = await Promise.all([
    pageReader.readSource(content),
    pageReader.readSource(rendered.document),
  ]);
  if (html === undefined || before === undefined) return undefined;
  const request: FillRequest = {
    kind: 'fill',
    url,
    version: new Date(at).toISOString(),
    html,
    of: {
      version: new Date(rendered.snapshot.at).toISOString(),
      html: before,
      packed: await textOf((await reader.read(rendered.snapshot)).payload),
      ...(rendered.layout && { viXml: await textOf((await reader.read(rendered.layout)).payload) }),
    },
    pictures: {},
  };
  const filling = await filler.fill(request);
  if (filling.kind !== 'filled') return undefined;
  const told = await catalog.closest(templateUri(url), at);
  const last =
    told && (JSON.parse(await textOf((await reader.read(told)).payload)) as TemplateTurn | undefined);
  return { rendered, request, filling, last, verify: isVerifyingTurn(last, every) };
}

async function lastRendered(
  url: string,
  before: Millis,
  { catalog, reader }: FillPorts,
): Promise<RenderedCapture | undefined> {
  const snapshot = await catalog.closest(snapshotUri(url), before);
  if (!snapshot || snapshot.at >= before) return undefined;
  const [page, told, layout] = await Promise.all([
    catalog.closest(url, snapshot.at),
    catalog.closest(pageInfoUri(url), snapshot.at),
    catalog.closest(layoutUri(url), snapshot.at),
  ]);
  if (page?.at !== snapshot.at || told?.at !== snapshot.at) return undefined;
  const original = await catalog.originalOf(page);
  const response = original && storedResponse(await reader.read(original));
  if (!response) return undefined;
  const info = JSON.parse(await textOf((await reader.read(told)).payload)) as PageInfo;
  return {
    snapshot,
    layout: layout?.at === snapshot.at ? layout : undefined,
    info,
    document: { url, response },
  };
}

/** Whether everything the rendered version showed came from its HTML and from files that are named and do not change. */
function isStatic({ info, document }: RenderedCapture, now: ResponseMessage): boolean {
  return (
    info.status === 200 &&
    // What did not arrive is not shown: the template would have holes.
    (info.lost ?? []).every(({ type }) => type === 'alternative') &&
    info.finalUrl.split('#', 1)[0] === info.url.split('#', 1)[0] &&
    Object.entries(info.resources).every(([url, { type }]) => url === info.url || BY_HTTP.has(type)) &&
    TELLING.every((name) => header(document.response.headers, name) === header(now.headers, name))
  );
}

/**
 * Stage, second half: fetches what the page embeds, and fills the layout with its pictures. Undefined if a style sheet
 * or a script has changed.
 */
export async function fillPage(
  page: FillablePage,
  content: Exchange,
  load: (urls: readonly string[]) => Promise<FetchedResources>,
  ports: FillPorts,
): Promise<FilledPage | undefined> {
  const wanted = await wantedResources(page, content, ports.pageReader);
  const { exchanges, lost } = await load(wanted);
  try {
    if (await looksAsBefore(page.rendered, exchanges, ports)) {
      const pictures = await decodedPictures(exchanges, ports.pageReader);
      const filling = await ports.filler.fill({ ...page.request, pictures });
      if (filling.kind === 'filled') {
        const { title, text, viXml } = filling;
        const of = page.request.of.version;
        const told = `layout by template: that of ${of}; no screenshot`;
        return {
          title,
          text,
          viXml,
          exchanges,
          lost,
          record: turnRecord(page, 'filled'),
          facts: [told],
        };
      }
    }
  } catch (error) {
    await releaseAll(exchanges);
    throw error;
  }
  await releaseAll(exchanges);
  return undefined;
}

const releaseAll = (exchanges: readonly Exchange[]) =>
  Promise.all(exchanges.map(({ response }) => response.body.release()));

/**
 * What the rendered version loaded, except what its HTML named and this one no longer does; what this one newly names;
 * and what it shows.
 */
async function wantedResources(
  { rendered, filling }: FillablePage,
  content: Exchange,
  pageReader: PageReader,
): Promise<readonly string[]> {
  const [now, before] = await Promise.all([pageReader.read(content), pageReader.read(rendered.document)]);
  const named = new Set(now.resources);
  const namedBefore = new Set(before.resources);
  const loaded = Object.keys(rendered.info.resources);
  const wanted = new Set([
    ...loaded.filter((url) => named.has(url) || !namedBefore.has(url)),
    ...now.resources.filter((url) => !namedBefore.has(url)),
    ...filling.sources.filter((source) => /^https?:/u.test(source) && !source.includes('#')),
  ]);
  wanted.delete(content.url);
  return [...wanted];
}

async function looksAsBefore(
  { snapshot, info }: RenderedCapture,
  exchanges: readonly Exchange[],
  { catalog, pageReader }: FillPorts,
): Promise<boolean> {
  const now = new Map(exchanges.map((exchange) => [exchange.url, exchange]));
  for (const [url, { type }] of Object.entries(info.resources)) {
    if (!DECISIVE.has(type) || url === info.url) continue;
    const exchange = now.get(url);
    const bytes = exchange && (await pageReader.readBytes(exchange, LARGEST_SOURCE));
    if (!bytes) return false;
    let same = false;
    for await (const fact of catalog.captures({ url, from: snapshot.at, to: snapshot.at + LOADING })) {
      if (fact.eventId === snapshot.eventId && fact.status === exchange.response.status)
        same ||= fact.digest.sha256 === (await sha256(bytes));
    }
    if (!same) return false;
  }
  return true;
}

/** As browsers pass them on: with all codings removed. */
async function decodedPictures(
  exchanges: readonly Exchange[],
  pageReader: PageReader,
): Promise<PictureDigests> {
  const decoded: Exchange[] = [];
  for (const exchange of exchanges) {
    if (!mediaType(exchange.response.headers).startsWith('image/')) continue;
    const bytes = await pageReader.readBytes(exchange, LARGEST_PICTURE);
    if (bytes) decoded.push({ ...exchange, response: { ...exchange.response, body: memoryBody(bytes) } });
  }
  return pictureDigests(decoded);
}

/** A verification: the template against what the browser showed. Undefined if that is more than can be compared. */
export async function verified(
  page: FillablePage,
  /** The snapshot, with its pictures. */
  packed: string,
  filler: TemplateFiller,
): Promise<{ readonly record?: DerivedRecord; readonly facts: readonly string[] } | undefined> {
  const request = { ...page.request, pictures: picturesOf(packed), rendered: packed };
  let filling: Filling;
  try {
    filling = await filler.fill(request);
  } catch (error) {
    return { facts: [`the layout by template could not be compared: ${String(error)}`] };
  }
  if (filling.kind !== 'filled') return undefined;
  const { differsAt } = filling;
  if (differsAt === undefined) return { record: turnRecord(page, 'agreed'), facts: [] };
  const fact = `the layout by template was wrong: ${differsAt} differs from what the browser showed`;
  return { record: turnRecord(page, 'disagreed', differsAt), facts: [fact] };
}

function turnRecord(
  { request, last }: FillablePage,
  outcome: TurnOutcome,
  differsAt?: string,
): DerivedRecord {
  const turn = { ...turnAfter(last, outcome), of: request.of.version, ...(differsAt && { differsAt }) };
  const body = memoryBody(new TextEncoder().encode(JSON.stringify(turn)));
  return { uri: templateUri(request.url), contentType: 'application/json', body };
}
