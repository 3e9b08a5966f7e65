/** What people want to be alerted to, the alerts they get, and how far each has got. */
import type { ChangedElement, ChangeOperation } from './change.ts';
import type { OperationName } from './delta.ts';
import type { Millis } from './time.ts';

export const DIGESTS = ['none', 'hourly', 'daily'] as const;
export type Digest = (typeof DIGESTS)[number];

/** A rule of the configuration, without its channels: those hold secrets, and deciding needs none. */
export interface AlertRule {
  /** Unique among rules; alerts, feeds and messages refer to the rule by it. */
  readonly name: string;
  readonly where: AlertWhere;
  readonly when: AlertConditions;
  readonly digest: Digest;
  readonly atMost?: { readonly messages: number; readonly span: Millis };
  readonly quiet?: QuietHours;
  /** IANA name of the zone whose hours and days digests follow. */
  readonly zone: string;
}

/** All conditions given must hold. */
export interface AlertWhere {
  /** A host with all its subdomains, or a directory of one. */
  readonly site?: string;
  /** Targets as in decisions: a page, a pattern with `*`, a site. One must match. */
  readonly pages?: readonly string[];
  /** Ref of a block, including the blocks inside it: `B1.2`. */
  readonly block?: string;
  /** A region of the page by a CSS selector. */
  readonly css?: string;
}

/**
 * Conditions on a change (the first seven) must all hold for one change. Each of the others stands alone: a page
 * cannot be gone and changed at once.
 */
export interface AlertConditions {
  readonly salience?: number;
  readonly importance?: number;
  /** Any of these. */
  readonly appears?: readonly string[];
  readonly vanishes?: readonly string[];
  readonly operation?: { readonly op?: OperationName; readonly element?: ChangedElement };
  readonly number?: NumberCondition;
  /** Fires where the chance of such a change, by the page's pattern, is below this. */
  readonly unexpected?: number;

  readonly gone?: boolean;
  readonly back?: boolean;
  /** Failed visits in a row. */
  readonly errors?: number;
  /** Share by which a page, or a site capture, is smaller than the last ones. */
  readonly shrunk?: number;
  /** Fires where the share of sharp pages of a site capture is below this. */
  readonly certificate?: number;
}

export const CHANGE_CONDITIONS = [
  'salience',
  'importance',
  'appears',
  'vanishes',
  'operation',
  'number',
  'unexpected',
] as const satisfies readonly (keyof AlertConditions)[];

/** A number crossing a value: upwards, downwards, or either way. */
export interface NumberCondition {
  readonly above?: number;
  readonly below?: number;
  readonly crosses?: number;
  /** Only the number following this text. */
  readonly after?: string;
}

/** Minutes of the local day; in a span across midnight `from` is after `to`. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** What an alert is about. `capture`: a whole site was captured. */
export const ALERT_KINDS = ['change', 'gone', 'back', 'errors', 'shrunk', 'certificate'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What a rule tells of one event, as the catalog keeps it. */
export interface Alert {
  /** Equal for the same rule, page and event, so that an alert is stored, and sent, once. */
  readonly id: string;
  readonly rule: string;
  readonly url: string;
  readonly kind: AlertKind;
  /** Times of the captures it lies between; of a site capture, its start and end. Absent where there was no earlier capture. */
  readonly from?: Millis;
  readonly to: Millis;
  /** When it was stored: digests and spans count from here. */
  readonly madeAt: Millis;
  readonly importance?: number;
  readonly salience?: number;
  /** The condition that held, with its numbers, and what happened. */
  readonly summary: string;
  /** The first of those that the rule is about. */
  readonly operations: readonly ChangeOperation[];
}

/**
 * One message carries one alert or, where alerts had to wait (digest, span, quiet hours), all of them:
 *
 *   alert: waiting ──gathered──▶ part of a message
 *   delivery of the message over one channel: waiting ──▶ sent | given-up
 *                                             waiting ──failed──▶ waiting, later
 */
export interface AlertMessage {
  /** The same on every try. */
  readonly id: string;
  readonly rule: string;
  readonly madeAt: Millis;
}

export const DELIVERY_STATES = ['waiting', 'sent', 'given-up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  readonly message: string;
  /** Identifies it without its secrets: `webhook hooks.example.org 1f3a`. */
  readonly channel: string;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly nextTry: Millis;
  readonly firstTry?: Millis;
  /** When it was sent or given up. */
  readonly doneAt?: Millis;
  readonly lastError?: string;
}
