/**
 * Subscriptions of a watch at hubs (WebSub). The states of one:
 *
 *   wanted ── asked, 2xx ──▶ asked ── hub verifies intent ──▶ active ── lease nearly over ──▶ asked (deliveries still count) …
 *      ▲                       │ hub does not verify in time, refuses, or fails: later again, less and less often
 *      └───────────────────────┘
 *
 * Nobody can subscribe us to something we did not ask for: only the callback that was made for a topic is verified, and
 * only while we wait. A delivery that is not signed with the secret of its subscription is acknowledged and ignored, as
 * the recommendation says. Delivered content is not stored: it only says that the topic should be visited.
 */
import { randomBytes } from 'node:crypto';
import type { Millis } from '../../model/time.ts';
import { isSigned } from './hub-signature.ts';

export interface HubSubscription {
  readonly topic: string;
  readonly hub: string;
  /** Last part of its callback URL; cannot be guessed. */
  readonly id: string;
  readonly secret: string;
  /** A request to subscribe that the hub has not verified yet. */
  askedAt?: Millis | undefined;
  /** End of the lease. */
  until?: Millis | undefined;
  /** As granted by the hub, in milliseconds. */
  lease?: number | undefined;
  /** Consecutive requests that failed. */
  failures: number;
  /** Of the last failed request. */
  problem?: string | undefined;
}

export interface SubscriptionPorts {
  /** Posts a form to a hub; rejects unless the answer is 2xx. */
  post(hub: string, form: URLSearchParams): Promise<void>;
  /** A topic has changed. */
  changed(topic: string, hub: string): void;
  keep(subscriptions: readonly HubSubscription[]): Promise<void>;
  tell(sentence: string): void;
  now(): Millis;
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/**
 * Lease requested from a hub, and the shortest and longest accepted, in milliseconds: shorter leases would be
 * renewed all the time.
 */
const LEASE = { asked: 10 * DAY, least: 10 * MINUTE, most: 30 * DAY } as const;
/** The final part of a lease in which it is renewed. */
const RENEW_BEFORE = 0.2;
/** Wait after a failed request to a hub, in milliseconds: it doubles each time, up to the longest. */
const AGAIN = { first: 10 * MINUTE, most: DAY } as const;
/** A site that names a hub on each page must fill neither memory nor the hub's list. */
const MOST = 1_000;

export class Subscriptions {
  readonly #callback: string;
  readonly #ports: SubscriptionPorts;
  readonly #byId = new Map<string, HubSubscription>();
  #asking: Promise<void> = Promise.resolve();

  /** @param callback public address below which each subscription has its own */
  constructor(callback: string, kept: readonly HubSubscription[], ports: SubscriptionPorts) {
    this.#callback = callback.replace(/\/*$/, '/');
    this.#ports = ports;
    for (const one of kept) this.#byId.set(one.id, { ...one });
  }

  get all(): readonly HubSubscription[] {
    return [...this.#byId.values()];
  }

  /** A document announces hubs; its subscriptions at other hubs stay. */
  announced(topic: string, hubs: readonly string[]): void {
    const known = this.all.filter((one) => one.topic === topic);
    // Every hub reports all changes: one that works is enough.
    if (known.some(({ failures }) => failures === 0)) return;
    const hub = hubs.find((candidate) => !known.some((one) => one.hub === candidate));
    if (hub === undefined || this.#byId.size >= MOST) return;
    const id = randomBytes(16).toString('hex');
    this.#byId.set(id, { topic, hub, id, secret: randomBytes(32).toString('hex'), failures: 0 });
  }

  /** Requests what is wanted or about to expire; one request after the other. Never rejects because of a hub. */
  async renew(): Promise<void> {
    this.#asking = this.#asking.then(async () => {
      for (const one of this.all) if (this.#isDue(one)) await this.#ask(one);
    });
    await this.#asking;
  }

  #isDue({ askedAt, until, lease = 0, failures }: HubSubscription): boolean {
    const now = this.#ports.now();
    const wait = Math.min(AGAIN.most, AGAIN.first * 2 ** Math.max(0, failures - 1));
    // With a clock that was set back, it must not wait for ever.
    if (askedAt !== undefined && askedAt <= now && now - askedAt < wait) return false;
    return until === undefined || until - now < RENEW_BEFORE * lease;
  }

  async #ask(one: HubSubscription): Promise<void> {
    // A request that was not verified in the meantime counts as failed.
    if (one.askedAt !== undefined) one.failures++;
    one.askedAt = this.#ports.now();
    const form = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': one.topic,
      'hub.callback': this.#callback + one.id,
      'hub.secret': one.secret,
      'hub.lease_seconds': String(LEASE.asked / 1000),
    });
    // Before the request: the hub may verify at once.
    await this.#keep();
    try {
      await this.#ports.post(one.hub, form);
    } catch (error) {
      this.#failed(one, (error as Error).message);
      await this.#keep();
    }
  }

  #failed(one: HubSubscription, problem: string): void {
    if (one.problem !== problem)
      this.#ports.tell(`No subscription to ${one.topic} at the hub ${one.hub}: ${problem}`);
    one.problem = problem;
  }

  /**
   * A hub asks whether we mean it.
   * @returns the text to answer with; undefined if we do not
   */
  async verify(id: string, query: URLSearchParams): Promise<string | undefined> {
    const one = this.#byId.get(id);
    const mode = query.get('hub.mode');
    if (!one || query.get('hub.topic') !== one.topic) return undefined;
    if (mode === 'denied') {
      this.#failed(
        one,
        `denied${query.get('hub.reason') ? `: ${query.get('hub.reason')?.slice(0, 200)}` : ''}`,
      );
      Object.assign(one, { until: undefined, askedAt: this.#ports.now() });
      await this.#keep();
      return '';
    }
    const challenge = query.get('hub.challenge');
    if (mode !== 'subscribe' || one.askedAt === undefined || !challenge) return undefined;
    const granted = Number(query.get('hub.lease_seconds') ?? LEASE.asked / 1000) * 1000;
    const lease = Math.min(LEASE.most, Math.max(LEASE.least, Number.isFinite(granted) ? granted : 0));
    if (one.until === undefined) this.#ports.tell(`Subscribed to ${one.topic} at the hub ${one.hub}`);
    Object.assign(one, { lease, until: this.#ports.now() + lease, failures: 0, askedAt: undefined });
    one.problem = undefined;
    await this.#keep();
    return challenge;
  }

  /** A hub delivers a change. 'gone': nobody wants it any longer. */
  delivered(id: string, body: Uint8Array, signature: string | undefined): 'heard' | 'ignored' | 'gone' {
    const one = this.#byId.get(id);
    if (!one || one.until === undefined || one.until < this.#ports.now()) return 'gone';
    if (!isSigned(signature, body, one.secret)) {
      this.#failed(one, 'a delivery was not signed with the secret of the subscription, and was ignored');
      return 'ignored';
    }
    this.#ports.changed(one.topic, one.hub);
    return 'heard';
  }

  async #keep(): Promise<void> {
    await this.#ports.keep(this.all);
  }
}
