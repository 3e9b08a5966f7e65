import type { Clock } from '../../ports/clock.ts';
import { postJson } from '../alerts/post-json.ts';
import { Subscriptions } from './subscriptions.ts';
import { readSubscriptions, writeSubscriptions } from './websub-file.ts';

/** Where hubs can reach a watch; without it, no hub is used. */
export interface WebSubSettings {
  /** Public address, as hubs see it. */
  readonly callback: string;
  /** The local port that it leads to. */
  readonly port: number;
  readonly host: string;
}

export interface WatchWebSubOptions {
  readonly settings: WebSubSettings;
  /** Root folder of the archive. */
  readonly root: string;
  readonly clock: Clock;
  /** Whether hubs at private addresses may be contacted. */
  readonly allowPrivate: boolean;
  readonly tell: (sentence: string) => void;
  /** Called when a hub says that a topic has changed. */
  readonly changed: (topic: string, hub: string) => void;
}

/** Time limit for a hub's answer, in milliseconds. */
const HUB_TIME = 15_000;
/** Interval between two checks of leases, in milliseconds. */
const LOOK_EVERY = 60_000;

/** The subscriptions of a watch, kept in its archive. */
export class WatchWebSub {
  readonly #subscriptions: Subscriptions;
  readonly #clock: Clock;
  readonly #stop = new AbortController();

  private constructor(subscriptions: Subscriptions, clock: Clock) {
    this.#subscriptions = subscriptions;
    this.#clock = clock;
  }

  static async open(options: WatchWebSubOptions): Promise<WatchWebSub> {
    const { settings, root, clock, allowPrivate, tell, changed } = options;
    const kept = await readSubscriptions(root);
    let stop: AbortSignal = AbortSignal.abort();
    const subscriptions = new Subscriptions(settings.callback, kept, {
      tell,
      changed,
      now: () => clock.now(),
      keep: (all) => writeSubscriptions(root, all),
      post: (hub, form) =>
        postJson(
          {
            address: hub,
            body: form.toString(),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            timeLimit: HUB_TIME,
            allowedBy: 'defaults.allowPrivate',
          },
          { allowPrivate },
          stop,
        ),
    });
    const opened = new WatchWebSub(subscriptions, clock);
    stop = opened.#stop.signal;
    return opened;
  }

  announced(topic: string, hubs: readonly string[]): void {
    if (hubs.length === 0) return;
    this.#subscriptions.announced(topic, hubs);
    void this.#renew();
  }

  verify(id: string, query: URLSearchParams): Promise<string | undefined> {
    return this.#subscriptions.verify(id, query);
  }

  delivered(id: string, body: Uint8Array, signature: string | undefined): 'heard' | 'ignored' | 'gone' {
    return this.#subscriptions.delivered(id, body, signature);
  }

  /** Renews leases until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
    while (!signal.aborted) {
      await this.#renew();
      await this.#clock.sleep(LOOK_EVERY, signal);
    }
  }

  async #renew(): Promise<void> {
    if (!this.#stop.signal.aborted) await this.#subscriptions.renew();
  }
}
