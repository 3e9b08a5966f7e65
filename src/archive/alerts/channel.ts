import type { OutgoingMessage } from '../../access/alerts/alert-payload.ts';

/** One way out. */
export interface Channel {
  /** Stored with each delivery: tells it from the others of its rule, without its secrets. */
  readonly name: string;
  /** Resolves when the other side has taken the message; rejects with a DeliveryError. May be called again with the same message. */
  deliver(message: OutgoingMessage, signal: AbortSignal): Promise<void>;
}

/** Why a message was not taken. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** The other side wants no more of it: another try is of no use. */
  readonly isFinal: boolean;
  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}
