import type { Alert, AlertMessage, Delivery } from '../../model/alert.ts';
import type { Millis } from '../../model/time.ts';

/** Newest first; those that wait, oldest first. */
export interface AlertQuery {
  readonly rule?: string;
  readonly url?: string;
  /** Only those in no message yet. */
  readonly waiting?: true;
  /** Only those in this message, in the order they were made. */
  readonly message?: string;
  /** Made since. */
  readonly since?: Millis;
  readonly limit?: number;
  readonly offset?: number;
}

export interface StoredAlert extends Alert {
  /** The message that carries it. */
  readonly message?: string;
}

export interface NewMessage extends AlertMessage {
  /** Ids of those that it carries. */
  readonly alerts: readonly string[];
  readonly channels: readonly string[];
}

export interface DeliveryQuery {
  readonly state?: Delivery['state'];
  /** Only those to be tried by then. */
  readonly due?: Millis;
  readonly message?: string;
  readonly limit?: number;
}

/** How much waits, and how much came to nothing. */
export interface OutboxCounts {
  readonly alerts: number;
  readonly waiting: number;
  readonly deliveries: Readonly<Record<Delivery['state'], number>>;
}

/**
 * The outbox. Alerts come in with the visits that caused them (`VisitCommit.alerts`), in one transaction; one whose id is known
 * is not stored again.
 */
export interface AlertCatalog {
  /** Those that no visit caused. Idempotent. */
  addAlerts(alerts: readonly Alert[]): Promise<void>;
  alerts(query: AlertQuery): Promise<readonly StoredAlert[]>;
  /** Rules of which alerts wait. */
  waitingRules(): Promise<readonly string[]>;
  /** Stores the message, its place in its alerts and a delivery per channel, at once. Idempotent. */
  addMessage(message: NewMessage): Promise<void>;
  /** Of a rule, oldest first; the last ones. */
  messages(query: { readonly rule: string; readonly limit: number }): Promise<readonly AlertMessage[]>;
  /** By the time of their next try, with the rule of their message. */
  deliveries(query: DeliveryQuery): Promise<readonly (Delivery & { readonly rule: string })[]>;
  /** In place of what was known of it. */
  setDelivery(delivery: Delivery): Promise<void>;
  outboxCounts(): Promise<OutboxCounts>;
}
