import { textOf } from '../../model/body.ts';
import type { PageInfo } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { HeldAnswer, HeldEvent, Holdings } from './held-events.ts';

/** Offsets of answers that stay although their event goes, by file. */
export type NeededAnswers = ReadonlyMap<string, ReadonlySet<number>>;

/** What kept visits loaded; read once, however often the selection is repeated. */
export type LoadedUrls = (event: HeldEvent) => Promise<readonly string[]>;

interface Place {
  readonly at: Millis;
  /** Absent where the capture stays anyway. */
  readonly dropped?: { readonly file: string; readonly answer: HeldAnswer };
}

/**
 * From events that go, the answers that others need: a payload that a kept revisit refers to, and whatever replay of a
 * kept version shows, i.e. for each URL it loaded the capture nearest in time. So kept versions look as before.
 */
export async function neededAnswers(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  { events, revisits, namedOriginals }: Holdings,
  dropped: ReadonlySet<HeldEvent>,
  turns: ReadonlyMap<string, number>,
  loaded: LoadedUrls,
): Promise<NeededAnswers> {
  const needed = new Map<string, Set<number>>();
  const need = (file: string, { offset }: HeldAnswer): void => {
    const known = needed.get(file);
    if (known) known.add(offset);
    else needed.set(file, new Set([offset]));
  };
  const going = revisitsThatGo(dropped);
  const places = new Map<string, Place[]>();
  for (const { file, answers } of dropped) {
    for (const answer of answers) {
      const { sha256, url, at, isRevisit } = answer;
      const turn = turns.get(file) ?? 0;
      // Those that go with a file whose turn comes later are still there while this one is rewritten, or if it is the
      // last.
      const gone = (going.get(sha256) ?? []).filter((other) => (turns.get(other) ?? 0) <= turn).length;
      if (!isRevisit && (revisits.get(sha256) ?? 0) > gone) need(file, answer);
      if (namedOriginals.has(`${url} ${at}`)) need(file, answer);
      const known = places.get(url);
      if (known) known.push({ at, dropped: { file, answer } });
      else places.set(url, [{ at, dropped: { file, answer } }]);
    }
  }
  if (places.size === 0) return needed;
  for (const [url, own] of places) {
    const ours = new Set(own.map(({ at }) => at));
    for await (const { at } of catalog.captures({ url })) if (!ours.has(at)) own.push({ at });
    own.sort((a, b) => a.at - b.at);
  }
  for (const visits of events.values()) {
    let urls: readonly string[] = [];
    for (const event of visits) {
      // A visit that found a version again has no page info of its own in the catalog: it loaded what the one before
      // did.
      if (event.info && !dropped.has(event)) urls = await loaded(event);
      if (dropped.has(event)) continue;
      for (const url of urls) {
        for (const place of nearest(places.get(url) ?? [], event.at))
          if (place.dropped) need(place.dropped.file, place.dropped.answer);
      }
    }
  }
  return needed;
}

function revisitsThatGo(dropped: ReadonlySet<HeldEvent>): ReadonlyMap<string, readonly string[]> {
  const going = new Map<string, string[]>();
  const add = (sha256: string, file: string): void => {
    const known = going.get(sha256);
    if (known) known.push(file);
    else going.set(sha256, [file]);
  };
  for (const { file, sha256, isRevisit, answers } of dropped) {
    if (isRevisit) add(sha256, file);
    for (const answer of answers) if (answer.isRevisit) add(answer.sha256, file);
  }
  return going;
}

/**
 * The last ones up to a time and the first ones from it on: all with equal time, since which of them is shown is
 * decided elsewhere.
 */
function nearest(places: readonly Place[], at: Millis): readonly Place[] {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.at ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [places[low - 1]?.at, places[low]?.at];
  const wanted = new Set<number | undefined>();
  if (before === undefined || (after !== undefined && after - at < at - before)) wanted.add(after);
  else if (after === undefined || at - before < after - at) wanted.add(before);
  else wanted.add(before).add(after);
  return places.filter((place) => wanted.has(place.at));
}

/** Reads page infos, and remembers which of `urls` they name. */
export function loadedUrls({ reader }: Pick<OpenArchive, 'reader'>): LoadedUrls {
  const known = new Map<string, readonly string[]>();
  const texts = new Map<string, string>();
  return async ({ eventId, info }) => {
    const found = known.get(eventId);
    if (found || !info) return found ?? [];
    const { resources } = JSON.parse(await textOf((await reader.read(info)).payload)) as PageInfo;
    const urls = Object.keys(resources).map((url) => {
      const one = texts.get(url) ?? url;
      texts.set(one, one);
      return one;
    });
    known.set(eventId, urls);
    return urls;
  };
}
