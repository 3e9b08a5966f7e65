import type { Alert, AlertMessage, Delivery } from '../../model/alert.ts';
import type { Millis } from '../../model/time.ts';

/** Newest first; with `waiting`, oldest first. */
export interface AlertQuery {
  readonly rule?: string;
  readonly url?: string;
  /** Only those not in any message yet. */
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
  /** Only those due by this time. */
  readonly due?: Millis;
  readonly message?: string;
  readonly limit?: number;
}

/** How much is waiting, and how much was given up. */
export interface OutboxCounts {
  readonly alerts: number;
  readonly waiting: number;
  readonly deliveries: Readonly<Record<Delivery['state'], number>>;
}

/**
 * The outbox. Alerts come in with the visits that caused them (`VisitCommit.alerts`), in one transaction; an alert
 * whose id is known is not stored again.
 */
export interface AlertCatalog {
  /** Alerts that no visit caused. Idempotent. */
  addAlerts(alerts: readonly Alert[]): Promise<void>;
  alerts(query: AlertQuery): Promise<readonly StoredAlert[]>;
  /** Rules that have waiting alerts. */
  waitingRules(): Promise<readonly string[]>;
  /** Stores the message, its reference in its alerts, and a delivery per channel, in one transaction. Idempotent. */
  addMessage(message: NewMessage): Promise<void>;
  /** The last messages of a rule, oldest first. */
  messages(query: { readonly rule: string; readonly limit: number }): Promise<readonly AlertMessage[]>;
  /** Ordered by the time of their next attempt, with the rule of their message. */
  deliveries(query: DeliveryQuery): Promise<readonly (Delivery & { readonly rule: string })[]>;
  /** Replaces what was known of it. */
  setDelivery(delivery: Delivery): Promise<void>;
  outboxCounts(): Promise<OutboxCounts>;
}
