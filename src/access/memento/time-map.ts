import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import {
  asciiUrl,
  beforeInSecond,
  httpDate,
  type MementoBase,
  mementoLine,
  mementosAround,
  mementosOf,
  timeGateAddress,
  timeMapAddress,
} from './memento-links.ts';

export const TIME_MAP_FORMATS = ['link', 'json', 'cdxj'] as const;
export type TimeMapFormat = (typeof TIME_MAP_FORMATS)[number];

/** Mementos of one page of a TimeMap: what is held to write it. */
const PAGE = 2_500;

/**
 * A TimeMap in `application/link-format` (RFC 7089 §5). A long one is cut into pages: each names the one that follows and,
 * where it is not the first, the first. Undefined where there is no capture from this time on.
 */
export async function timeMap(
  catalog: Pick<CaptureCatalog, 'indexLines'>,
  base: MementoBase,
  url: string,
  from?: Millis,
): Promise<readonly string[] | undefined> {
  const facts: CaptureFact[] = [];
  const query = { ...(from !== undefined && { from }), limit: PAGE + 1 };
  for await (const { fact } of mementosOf(catalog, url, query)) facts.push(fact);
  const rest = cut(facts);
  const [start] = facts;
  const end = facts.at(-1);
  if (!start || !end) return undefined;
  const { first, last } = await mementosAround(catalog, url, start.at);
  const type = 'type="application/link-format"';
  const span = (of: CaptureFact, to: CaptureFact): string =>
    `from="${httpDate(of.at)}"; until="${httpDate(to.at)}"`;
  const lines = [
    `<${asciiUrl(url)}>; rel="original"`,
    `<${timeMapAddress(base, url, from)}>; rel="self"; ${type}; ${span(start, end)}`,
    `<${timeGateAddress(base, url)}>; rel="timegate"`,
  ];
  if (first && first.at < start.at) lines.push(`<${timeMapAddress(base, url)}>; rel="timemap"; ${type}`);
  if (rest && last)
    lines.push(`<${timeMapAddress(base, url, rest.at)}>; rel="timemap"; ${type}; ${span(rest, last)}`);
  let before = await beforeInSecond(catalog, start);
  for (const fact of facts) {
    const names = [
      ...(first?.recordId === fact.recordId ? ['first'] : []),
      ...(last?.recordId === fact.recordId ? ['last'] : []),
    ];
    lines.push(mementoLine(base, fact, before, names));
    before = fact.at;
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},\n` : `${line}\n`));
}

/** Leaves one page in the list, and gives the capture that the next begins with. Captures of one moment stay together. */
function cut(facts: CaptureFact[]): CaptureFact | undefined {
  if (facts.length <= PAGE) return undefined;
  const rest = facts[PAGE] as CaptureFact;
  let length = PAGE;
  while (length > 1 && facts[length - 1]?.at === rest.at) length--;
  facts.length = length;
  return rest;
}
