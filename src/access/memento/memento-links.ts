import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import { pywbFields } from '../cdx/cdx-fields.ts';
import { type CdxRequest, cdxLines } from '../cdx/cdx-lines.ts';
import { keyRange } from '../cdx/key-range.ts';
import { formatTimestamp } from '../replay-url.ts';

/** Where the Memento addresses of a collection begin. */
export interface MementoBase {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly collection: string;
}

type IndexCatalog = Pick<CaptureCatalog, 'indexLines'>;

/** A header field holds ASCII, and `<` and `>` end an address in it. */
export function asciiUrl(url: string): string {
  // What is no URL to the standard keeps the escapes that it has.
  const ascii = URL.canParse(url) ? new URL(url).href : encodeURI(url).replaceAll('%25', '%');
  return ascii.replace(/[<>"\s]/g, (char) => encodeURIComponent(char));
}

const inCollection = ({ origin, collection }: MementoBase, path: string): string =>
  `${origin}/${collection}/${path}`;

const SECOND = 1_000;

/**
 * URI-M: the capture as it was stored, the one form that any client can read. Other tools read 14 digits and no more: they
 * name the first capture of a second, and only one that follows it has 17.
 * @param before the capture before it, where there is one
 */
export function mementoAddress(
  base: MementoBase,
  { url, at }: Pick<CaptureFact, 'url' | 'at'>,
  before: Millis | undefined,
): string {
  const second = at - (at % SECOND);
  const digits = before !== undefined && before >= second ? formatTimestamp(at) : formatTimestamp(second);
  return inCollection(base, `${digits}id_/${asciiUrl(url)}`);
}

/** The capture that a timestamp of 14 digits names: the first of its second; undefined where there is none. */
export async function firstOfSecond(
  catalog: IndexCatalog,
  url: string,
  at: Millis,
): Promise<CaptureFact | undefined> {
  return at % SECOND === 0 ? one(catalog, url, { from: at, to: at + SECOND - 1 }) : undefined;
}

/** The time of the capture before, as far as it decides how one is named. */
export async function beforeInSecond(
  catalog: IndexCatalog,
  { url, at }: Pick<CaptureFact, 'url' | 'at'>,
): Promise<Millis | undefined> {
  if (at % SECOND === 0) return undefined;
  return (await one(catalog, url, { from: at - (at % SECOND), to: at - 1, order: 'reverse' }))?.at;
}

/** URI-T; of a later page, from the time of its first capture on. */
export const timeMapAddress = (base: MementoBase, url: string, from?: Millis): string =>
  inCollection(base, `timemap/link/${from === undefined ? '' : `${formatTimestamp(from)}/`}${asciiUrl(url)}`);

/** URI-G. */
export const timeGateAddress = (base: MementoBase, url: string): string => inCollection(base, asciiUrl(url));

export const httpDate = (at: Millis): string => new Date(at).toUTCString();

/** Captures of exactly this URL, whatever its spelling, one after the other. */
export function mementosOf(
  catalog: IndexCatalog,
  url: string,
  query: Partial<Pick<CdxRequest, 'from' | 'to' | 'limit' | 'order'>> = {},
) {
  return cdxLines(catalog, {
    ...keyRange(url, 'exact'),
    order: 'forward',
    tests: [],
    collapse: [],
    offset: 0,
    limit: Number.POSITIVE_INFINITY,
    fieldsOf: pywbFields,
    ...query,
  });
}

async function one(
  catalog: IndexCatalog,
  url: string,
  query: Partial<Pick<CdxRequest, 'from' | 'to' | 'order'>>,
): Promise<CaptureFact | undefined> {
  for await (const { fact } of mementosOf(catalog, url, { ...query, limit: 1 })) return fact;
  return undefined;
}

/** First, last, and those next to one: what a Link header tells. */
export async function mementosAround(catalog: IndexCatalog, url: string, at: Millis) {
  return {
    first: await one(catalog, url, {}),
    prev: await one(catalog, url, { to: at - 1, order: 'reverse' }),
    next: await one(catalog, url, { from: at + 1 }),
    last: await one(catalog, url, { order: 'reverse' }),
  };
}

/** `<…>; rel="first memento"; datetime="…"`. One that is several of them is told once. */
export async function mementoLinks(
  catalog: IndexCatalog,
  base: MementoBase,
  { url, at }: Pick<CaptureFact, 'url' | 'at'>,
): Promise<string> {
  const around = await mementosAround(catalog, url, at);
  const relations = new Map<string, { at: Millis; names: string[] }>();
  const add = async (fact: Pick<CaptureFact, 'url' | 'at'> | undefined, name: string): Promise<void> => {
    if (!fact) return;
    const address = mementoAddress(base, fact, await beforeInSecond(catalog, fact));
    const known = relations.get(address) ?? { at: fact.at, names: [] };
    if (name !== '') known.names.push(name);
    relations.set(address, known);
  };
  await add(around.first, 'first');
  await add(around.prev, 'prev');
  await add({ url, at }, '');
  await add(around.next, 'next');
  await add(around.last, 'last');
  const span =
    around.first && around.last
      ? `; from="${httpDate(around.first.at)}"; until="${httpDate(around.last.at)}"`
      : '';
  return [
    ...commonLinks(base, url, span),
    ...[...relations].map(
      ([address, { at: when, names }]) =>
        `<${address}>; rel="${[...names, 'memento'].join(' ')}"; datetime="${httpDate(when)}"`,
    ),
  ].join(', ');
}

/** What every answer about a URL links to. */
export const commonLinks = (base: MementoBase, url: string, span = ''): readonly string[] => [
  `<${asciiUrl(url)}>; rel="original"`,
  `<${timeGateAddress(base, url)}>; rel="timegate"`,
  `<${timeMapAddress(base, url)}>; rel="timemap"; type="application/link-format"${span}`,
];

/** One memento as a line of a TimeMap, after the one before it; `names`: first, last. */
export const mementoLine = (
  base: MementoBase,
  fact: CaptureFact,
  before: Millis | undefined,
  names: readonly string[] = [],
): string =>
  `<${mementoAddress(base, fact, before)}>; rel="${[...names, 'memento'].join(' ')}"; datetime="${httpDate(fact.at)}"; collection="${base.collection}"`;
