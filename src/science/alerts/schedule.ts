/**
 * When alerts become messages. The same rule decides live and over the past: an alert goes out at once, or at the end of its
 * digest's hour or day; not in quiet hours; not more often than the rule allows. Alerts that have to wait are gathered into one
 * message: nothing is left out.
 */
import type { AlertRule, QuietHours } from '../../model/alert.ts';
import type { Millis } from '../../model/time.ts';
import { zoneOffset } from '../patterns/zone.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Local hour at which the day's digest goes out: people read it in the morning. */
const DAILY_AT = 8 * HOUR;

/** Largest number of alerts in one message; the rest follows in the next. */
export const MOST_IN_MESSAGE = 100;

type Timing = Pick<AlertRule, 'digest' | 'atMost' | 'quiet' | 'zone'>;

/** When a message beginning with an alert made then goes out. `sent`: times of the rule's earlier messages, in order. */
export function messageTime(rule: Timing, madeAt: Millis, sent: readonly Millis[]): Millis {
  let time = digestTime(rule, madeAt);
  // Waiting for the span may lead into quiet hours, and the end of those is late enough for any span: two turns suffice.
  for (let turn = 0; turn < 2; turn++) {
    time = outsideSpan(rule, time, sent);
    time = outsideQuiet(rule.quiet, time);
  }
  return time;
}

/** Whether an alert that goes out at once goes alone. */
export const goesAlone = ({ digest }: Timing, madeAt: Millis, at: Millis): boolean =>
  digest === 'none' && at <= madeAt;

export interface Scheduled<A> {
  readonly at: Millis;
  readonly alerts: readonly A[];
}

/** What a rule would have sent over the past; alerts in time order. */
export function schedule<A>(
  rule: Timing,
  alerts: readonly A[],
  madeAt: (alert: A) => Millis,
): readonly Scheduled<A>[] {
  const messages: Scheduled<A>[] = [];
  const sent: Millis[] = [];
  for (let next = 0; next < alerts.length; ) {
    const first = alerts[next] as A;
    const at = messageTime(rule, madeAt(first), sent);
    const gathered = [first];
    if (!goesAlone(rule, madeAt(first), at))
      while (gathered.length < MOST_IN_MESSAGE) {
        const following = alerts[next + gathered.length];
        if (following === undefined || madeAt(following) > at) break;
        gathered.push(following);
      }
    messages.push({ at, alerts: gathered });
    sent.push(at);
    next += gathered.length;
  }
  return messages;
}

function digestTime({ digest, zone }: Timing, at: Millis): Millis {
  if (digest === 'none') return at;
  const [unit, phase] = digest === 'hourly' ? [HOUR, 0] : [DAY, DAILY_AT];
  const local = at + offset(zone, at);
  const next = Math.floor((local - phase) / unit) * unit + unit + phase;
  return fromLocal(zone, next);
}

function outsideSpan({ atMost }: Timing, at: Millis, sent: readonly Millis[]): Millis {
  if (!atMost) return at;
  // The n-th message from the end: once it is outside the span, there is room for one more.
  const oldest = sent.at(-atMost.messages);
  return oldest === undefined ? at : Math.max(at, oldest + atMost.span);
}

function outsideQuiet(quiet: QuietHours | undefined, at: Millis): Millis {
  if (!quiet || quiet.from === quiet.to) return at;
  const local = at + offset(quiet.zone, at);
  const midnight = Math.floor(local / DAY) * DAY;
  const minute = (local - midnight) / MINUTE;
  const overnight = quiet.from > quiet.to;
  const isQuiet = overnight
    ? minute >= quiet.from || minute < quiet.to
    : minute >= quiet.from && minute < quiet.to;
  if (!isQuiet) return at;
  const isNextDay = overnight && minute >= quiet.from;
  return fromLocal(quiet.zone, midnight + (isNextDay ? DAY : 0) + quiet.to * MINUTE);
}

const offset = (zone: string, at: Millis): Millis => zoneOffset(zone)(at / 1000) * 1000;

/** A wall-clock time that does not exist, or exists twice, on a day when clocks change gives a moment at most an hour off. */
const fromLocal = (zone: string, local: Millis): Millis => local - offset(zone, local - offset(zone, local));
