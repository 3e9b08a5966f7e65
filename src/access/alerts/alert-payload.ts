import type { Alert, Digest } from '../../model/alert.ts';
import type { ChangeOperation } from '../../model/change.ts';
import type { Millis } from '../../model/time.ts';
import { formatTimestamp } from '../replay-url.ts';

/** What a webhook gets of one alert. Times are ISO 8601, UTC. */
export interface AlertPayload {
  /** The same at each try. */
  readonly id: string;
  readonly rule: string;
  readonly url: string;
  /** Null where there was no version before. */
  readonly from: string | null;
  readonly to: string;
  /** Null where it is not about a change. */
  readonly importance: number | null;
  readonly salience: number | null;
  readonly summary: string;
  readonly operations: readonly ChangeOperation[];
  /** Where a person can look at both versions. */
  readonly compare: string;
}

/** What it gets where alerts were gathered. */
export interface DigestPayload {
  readonly id: string;
  readonly rule: string;
  readonly digest: Digest;
  readonly summary: string;
  readonly alerts: readonly AlertPayload[];
}

/** A message on its way. */
export interface OutgoingMessage {
  readonly id: string;
  readonly rule: string;
  readonly digest: Digest;
  /** Never empty; in the order they were made. */
  readonly alerts: readonly Alert[];
}

const iso = (time: Millis): string => new Date(time).toISOString();

/** `base`: where the web page is served, without a slash at its end. */
export function compareAddress(base: string, { url, from, to }: Pick<Alert, 'url' | 'from' | 'to'>): string {
  const times = { ...(from !== undefined && { from: formatTimestamp(from) }), to: formatTimestamp(to) };
  return `${base}/#/page?${new URLSearchParams({ url, ...times }).toString()}`;
}

export function alertPayload(alert: Alert, base: string): AlertPayload {
  const { id, rule, url, from, to, importance, salience, summary, operations } = alert;
  return {
    ...{ id, rule, url },
    from: from === undefined ? null : iso(from),
    to: iso(to),
    importance: importance ?? null,
    salience: salience ?? null,
    ...{ summary, operations },
    compare: compareAddress(base, alert),
  };
}

export function messagePayload(message: OutgoingMessage, base: string): AlertPayload | DigestPayload {
  const { id, rule, digest, alerts } = message;
  const [first, ...others] = alerts;
  if (first && others.length === 0) return { ...alertPayload(first, base), id };
  const payloads = alerts.map((alert) => alertPayload(alert, base));
  return { id, rule, digest, summary: headline(message), alerts: payloads };
}

/** In one line: a subject, a title. */
export function headline({ rule, alerts }: Pick<OutgoingMessage, 'rule' | 'alerts'>): string {
  const [first, ...others] = alerts;
  if (first && others.length === 0) return `${rule}: ${first.url}`;
  const pages = new Set(alerts.map(({ url }) => url)).size;
  return `${rule}: ${alerts.length} alerts on ${pages === 1 ? 'one page' : `${pages} pages`}`;
}
