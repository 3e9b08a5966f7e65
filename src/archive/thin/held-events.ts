import type { CaptureFact } from '../../model/capture.ts';
import { pageInfoUri, pageOfUri } from '../../model/derived-uris.ts';
import type { Millis } from '../../model/time.ts';
import type { FiledRecord } from '../../ports/catalog.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** An answer in the event of a page, other than the page's own. */
export interface HeldAnswer {
  readonly url: string;
  readonly at: Millis;
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
  readonly isRevisit: boolean;
}

/** One visit to a page, by its records in a file. */
export interface HeldEvent {
  readonly file: string;
  readonly eventId: string;
  readonly url: string;
  readonly at: Millis;
  /** Of the page's own answer. */
  readonly sha256: string;
  readonly isRevisit: boolean;
  /** Start and end of the range that its records lie in, see EventToDrop. */
  readonly from: number;
  readonly to: number;
  readonly was: number;
  /** Size of the records that would go, without `answers`. */
  readonly bytes: number;
  readonly answers: readonly HeldAnswer[];
  readonly records: readonly string[];
  /** Where its page info lies; absent where the catalog has no row for it. */
  readonly info?: Pick<CaptureFact, 'file' | 'offset' | 'length'>;
}

/** What the archive holds, as far as it affects what can go. */
export interface Holdings {
  /** By page. */
  readonly events: ReadonlyMap<string, readonly HeldEvent[]>;
  /** How many revisits refer to a payload, by its SHA-256. */
  readonly revisits: ReadonlyMap<string, number>;
  /** `<url> <time>` of originals that revisits without a digest refer to. */
  readonly namedOriginals: ReadonlySet<string>;
  /** Size by site, in bytes. */
  readonly sites: ReadonlyMap<string, number>;
}

const PAGE_INFO = pageInfoUri('');
/** See rewrite-file.ts. */
const STAYS = /^urn:(?:delta|template|pageinfo):/;

/** One pass over the catalog, file by file: the records themselves are not read. */
export async function heldEvents(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  files: readonly string[],
  onProgress: (file: string) => void = () => {},
): Promise<Holdings> {
  const { siteOf } = catalog.siteBounds();
  const events = new Map<string, HeldEvent[]>();
  const revisits = new Map<string, number>();
  const namedOriginals = new Set<string>();
  const sites = new Map<string, number>();
  /** One string per URL: a resource may be in a hundred thousand events. */
  const texts = new Map<string, string>();
  const once = (text: string): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  for (const file of files) {
    onProgress(file);
    let records: FiledRecord[] = [];
    let before = 0;
    let end = 0;
    const settle = (): void => {
      const event = eventOf(records, before, once);
      if (event) {
        const known = events.get(event.url);
        if (known) known.push(event);
        else events.set(event.url, [event]);
      }
      records = [];
      before = end;
    };
    for await (const record of catalog.filedRecords(file)) {
      if (records[0] && records[0].eventId !== record.eventId) settle();
      records.push(record);
      end = record.offset + record.length + (record.repeats?.rest ?? 0);
      const site = siteOf(pageOfUri(record.url) ?? record.url);
      sites.set(site, (sites.get(site) ?? 0) + record.length);
      if (record.type !== 'revisit') continue;
      const { digest, refersTo } = record;
      if (digest.sha256 !== '') revisits.set(digest.sha256, (revisits.get(digest.sha256) ?? 0) + 1);
      else if (refersTo) namedOriginals.add(`${refersTo.url} ${refersTo.at}`);
    }
    settle();
  }
  for (const list of events.values()) list.sort((a, b) => a.at - b.at);
  return { events, revisits, namedOriginals, sites };
}

/** Undefined for events that are not visits to a page, and for pages without an answer of their own. */
function eventOf(
  records: readonly FiledRecord[],
  from: number,
  once: (text: string) => string,
): HeldEvent | undefined {
  const info = records.find(({ url }) => url.startsWith(PAGE_INFO));
  const repeat = records.find(({ repeats }) => repeats !== undefined);
  const eventId = records[0]?.eventId;
  if (eventId === undefined || (!info && !repeat)) return undefined;
  const url = info ? info.url.slice(PAGE_INFO.length) : (repeat?.url ?? '');
  const at = (info ?? repeat)?.at ?? 0;
  const isAnswer = ({ type }: FiledRecord): boolean => type === 'response' || type === 'revisit';
  const main = records.find((record) => isAnswer(record) && record.url === url && record.at === at);
  const last = info ?? repeat;
  if (!main || !last) return undefined;
  const others = records.filter((record) => isAnswer(record) && record !== main);
  const own = records.filter((record) => !others.includes(record) && !STAYS.test(record.url));
  return {
    file: main.file,
    eventId,
    url: once(url),
    at,
    sha256: main.digest.sha256,
    isRevisit: main.type === 'revisit',
    from,
    to: last.offset + last.length + (last.repeats?.rest ?? 0),
    was: (info ?? main).offset,
    bytes: own.reduce((sum, { length }) => sum + length, 0),
    answers: others.map((record) => ({
      url: once(record.url),
      at: record.at,
      offset: record.offset,
      length: record.length,
      sha256: record.digest.sha256,
      isRevisit: record.type === 'revisit',
    })),
    records: records.map(({ recordId }) => recordId),
    ...(info && { info: { file: info.file, offset: info.offset, length: info.length } }),
  };
}
