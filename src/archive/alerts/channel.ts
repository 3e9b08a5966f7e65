import type { OutgoingMessage } from '../../access/alerts/alert-payload.ts';

/** One way to send messages. */
export interface Channel {
  /** Stored with each delivery: identifies it among the channels of its rule, without its secrets. */
  readonly name: string;
  /**
   * Resolves when the other side has accepted the message; rejects with a DeliveryError. May be called again with the
   * same message.
   */
  deliver(message: OutgoingMessage, signal: AbortSignal): Promise<void>;
}

/** Why a message was not accepted. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** The other side wants no more of these: retrying is pointless. */
  readonly isFinal: boolean;
  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}
