import type { Millis } from '../../model/time.ts';
import type { HappeningMark } from '../../ports/catalog.ts';

/** Where in the stream of events somebody is. */
export interface EventPlace {
  readonly mark: HappeningMark;
  /** When the event was told; ids from before this was kept have none. */
  readonly at?: Millis;
}

export const eventId = ({ mark: { visits, changes, alerts }, at }: EventPlace): string =>
  [visits, changes, alerts, ...(at === undefined ? [] : [at])].join('.');

/** Undefined for text that is no id of an event. */
export function readEventId(id: string | undefined): EventPlace | undefined {
  const [, visits, changes, alerts, at] =
    /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id ?? '') ?? [];
  if (alerts === undefined) return undefined;
  const mark = { visits: Number(visits), changes: Number(changes), alerts: Number(alerts) };
  return { mark, ...(at !== undefined && { at: Number(at) }) };
}
