/**
 * The change history of a site, one row per event: `path, kind (A|M|D), unix time, size, digest`, tab-separated, with
 * or without a header row. A: the page appeared, M: its content changed, D: it disappeared.
 *
 * A bad row is refused with file, line and reason; with `skipBad` it is skipped and counted.
 */
import { BadRowError, type TableOptions } from './page-tables.ts';

export interface HistoryEvent {
  readonly kind: 'A' | 'M' | 'D';
  /** Unix seconds. */
  readonly time: number;
  /** Bytes. */
  readonly size: number;
  readonly digest: string;
}

export interface SiteEvents {
  /** Events of each page, by time; paths in order of first appearance. */
  readonly pages: ReadonlyMap<string, readonly HistoryEvent[]>;
  /** All distinct times at which anything happened, ascending: each was a visit to the whole site. */
  readonly times: readonly number[];
  /** Rows that came after a later row of the same page. */
  readonly outOfOrder: number;
  readonly skipped: number;
  readonly firstBad?: string;
}

export function parseHistory(text: string, file: string, options: TableOptions = {}): SiteEvents {
  const pages = new Map<string, HistoryEvent[]>();
  const times = new Set<number>();
  let outOfOrder = 0;
  let skipped = 0;
  let firstBad: string | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line === '' || (index === 0 && /^path\tkind\t/i.test(line))) continue;
    const [path = '', kind = '', time = '', size = '', digest = ''] = line.split('\t');
    const reason = complaint(path, kind, time, size);
    if (reason !== undefined) {
      const bad = new BadRowError(file, index + 1, reason);
      if (!options.skipBad) throw bad;
      skipped++;
      firstBad ??= bad.message;
      continue;
    }
    const event = { kind: kind as HistoryEvent['kind'], time: Number(time), size: Number(size), digest };
    times.add(event.time);
    const events = pages.get(path);
    if (events) {
      if ((events.at(-1) as HistoryEvent).time > event.time) outOfOrder++;
      events.push(event);
    } else pages.set(path, [event]);
  }
  for (const events of pages.values()) events.sort((a, b) => a.time - b.time);
  const sorted = [...times].sort((a, b) => a - b);
  return { pages, times: sorted, outOfOrder, skipped, ...(firstBad === undefined ? {} : { firstBad }) };
}

function complaint(path: string, kind: string, time: string, size: string): string | undefined {
  if (path === '') return 'no path';
  if (!/^[AMD]$/.test(kind)) return `kind must be A, M or D, not '${kind}'`;
  if (!/^\d+$/.test(time)) return `time must be Unix seconds, not '${time}'`;
  if (!/^\d*$/.test(size)) return `size must be bytes, not '${size}'`;
  return undefined;
}

/** Whether the page exists at this time; false before it first appeared. */
export function isAlive(events: readonly HistoryEvent[], time: number): boolean {
  let alive = false;
  for (const event of events) {
    if (event.time > time) break;
    alive = event.kind !== 'D';
  }
  return alive;
}
