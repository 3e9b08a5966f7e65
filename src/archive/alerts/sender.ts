/**
 * The outbox is emptied in two steps, each stored before the next:
 *
 *   1. alerts whose time has come are gathered into a message, with a delivery for each channel of their rule
 *   2. deliveries that are due are tried; taken → sent, refused → later, and given up when that has lasted too long
 *
 * A kill between the two, or between an attempt and its note, costs a second attempt with the same id, never a
 * message.
 */

import type { AlertRule, Delivery } from '../../model/alert.ts';
import type { Millis } from '../../model/time.ts';
import type { AlertCatalog, StoredAlert } from '../../ports/catalog.ts';
import { goesAlone, MOST_IN_MESSAGE, messageTime } from '../../science/alerts/schedule.ts';
import { alertId } from './alert-id.ts';
import { type Channel, DeliveryError } from './channel.ts';

export interface SenderOptions {
  readonly catalog: AlertCatalog;
  /** Read on each turn: the configuration may have changed. */
  readonly rules: () => readonly AlertRule[];
  readonly channels: (rule: string) => readonly Channel[];
  /**
   * How long deliveries are retried, in milliseconds: from the first attempt, or from the alert where its
   * rule no longer exists.
   */
  readonly giveUpAfter: () => Millis;
  /** False once another process may be sending: then nothing is sent. Always true unless given. */
  readonly maySend?: () => boolean;
}

export interface Sent {
  readonly sent: number;
  readonly failed: number;
  readonly givenUp: number;
  /** When there is something to do again; absent where nothing waits. */
  readonly next?: Millis;
}

export interface Sender {
  /** Tries once what is due by `now`. */
  sendDue(now: Millis, signal?: AbortSignal): Promise<Sent>;
}

/** The wait after the first failure; it doubles with each further failure, up to the longest. */
const FIRST_WAIT = 60_000;
const LONGEST_WAIT = 6 * 3_600_000;
/** Deliveries considered per turn. */
const AT_ONCE = 200;
/** Takes the place of the channels of a rule that no longer exists. */
const NO_RULE = 'none: no such rule';

export const waitAfter = (tries: number): Millis => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));

export function createSender(options: SenderOptions): Sender {
  const { catalog } = options;

  /** Returns when the rule's next message is due, where alerts still wait. */
  async function gather(name: string, now: Millis): Promise<Millis | undefined> {
    const rule = options.rules().find((one) => one.name === name);
    if (!rule) return await gatherOrphans(name, now);
    const before = await catalog.messages({ rule: name, limit: rule.atMost?.messages ?? 1 });
    const sent = before.map(({ madeAt }) => madeAt);
    for (;;) {
      const waiting = await catalog.alerts({ rule: name, waiting: true, limit: MOST_IN_MESSAGE });
      const [first] = waiting;
      if (!first) return undefined;
      const at = messageTime(rule, first.madeAt, sent);
      if (at > now) return at;
      const gathered = goesAlone(rule, first.madeAt, at)
        ? [first]
        : waiting.filter(({ madeAt }) => madeAt <= now);
      await catalog.addMessage(messageOf(rule.name, gathered, now, options.channels(name)));
      sent.push(now);
    }
  }

  /** Alerts of a rule that was taken out of the configuration wait for it to come back, and are given up in the end. */
  async function gatherOrphans(name: string, now: Millis): Promise<Millis | undefined> {
    for (;;) {
      const [first] = await catalog.alerts({ rule: name, waiting: true, limit: 1 });
      if (!first) return undefined;
      const end = first.madeAt + options.giveUpAfter();
      if (end > now) return end;
      await catalog.addMessage({ ...messageOf(name, [first], now, []), channels: [NO_RULE] });
      await catalog.setDelivery({
        ...{ message: first.id, channel: NO_RULE, state: 'given-up', tries: 0, nextTry: now, doneAt: now },
        lastError: `no rule of the configuration is named '${name}'`,
      });
    }
  }

  async function tryOnce(
    delivery: Delivery & { rule: string },
    now: Millis,
    signal: AbortSignal,
  ): Promise<Delivery> {
    const { message, rule, channel: name } = delivery;
    const tried = { ...delivery, tries: delivery.tries + 1, firstTry: delivery.firstTry ?? now };
    try {
      const channel = options.channels(rule).find((one) => one.name === name);
      if (!channel) throw new DeliveryError(`the configuration has no such channel of the rule '${rule}'`);
      const alerts = await catalog.alerts({ message });
      const digest = options.rules().find((one) => one.name === rule)?.digest ?? 'none';
      if (alerts.length > 0) await channel.deliver({ id: message, rule, digest, alerts }, signal);
      const { lastError: _, ...well } = tried;
      return { ...well, state: 'sent', doneAt: now };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeliveryError)) throw error;
      const lastError = error.message.slice(0, LONGEST_ERROR);
      const isOver = error.isFinal || now - tried.firstTry >= options.giveUpAfter();
      if (isOver) return { ...tried, state: 'given-up', doneAt: now, lastError };
      return { ...tried, nextTry: now + waitAfter(tried.tries), lastError };
    }
  }

  /**
   * One channel: after a failure the rest waits for the next turn, so that a server that hangs does not block
   * everything.
   */
  async function tryAll(due: readonly (Delivery & { rule: string })[], now: Millis, signal: AbortSignal) {
    const done: Delivery[] = [];
    for (const delivery of due) {
      if (options.maySend?.() === false) break;
      const tried = await tryOnce(delivery, now, signal);
      await catalog.setDelivery(tried);
      done.push(tried);
      if (tried.state === 'waiting') break;
    }
    return done;
  }

  return {
    async sendDue(now, signal = new AbortController().signal) {
      const times: Millis[] = [];
      for (const rule of await catalog.waitingRules()) {
        const next = await gather(rule, now);
        if (next !== undefined) times.push(next);
      }
      const due = await catalog.deliveries({ state: 'waiting', due: now, limit: AT_ONCE });
      const names = [...new Set(due.map(({ channel }) => channel))];
      const each = names.map((name) =>
        tryAll(
          due.filter(({ channel }) => channel === name),
          now,
          signal,
        ),
      );
      const done = (await Promise.all(each)).flat();
      const [next] = await catalog.deliveries({ state: 'waiting', limit: 1 });
      if (next) times.push(next.nextTry);
      const count = (state: Delivery['state']): number => done.filter((one) => one.state === state).length;
      return {
        ...{ sent: count('sent'), failed: count('waiting'), givenUp: count('given-up') },
        ...(times.length > 0 && { next: Math.min(...times) }),
      };
    },
  };
}

/** In characters. */
const LONGEST_ERROR = 1000;

function messageOf(rule: string, alerts: readonly StoredAlert[], now: Millis, channels: readonly Channel[]) {
  const ids = alerts.map(({ id }) => id);
  const [first = ''] = ids;
  const id = ids.length === 1 ? first : alertId(ids.join('\n'));
  return { id, rule, madeAt: now, alerts: ids, channels: channels.map(({ name }) => name) };
}
