/** When a template's work is compared with a browser's: trust is good for a while only. */

export interface TemplateTrust {
  /** Versions filled since the template last agreed with a rendering. */
  readonly filled: number;
}

export const FRESH_TRUST: TemplateTrust = { filled: 0 };

/** Of so many versions filled, one is verified. */
export const VERIFY_EVERY = 10;

/** Whether the version that is filled now is to be rendered too; 1 verifies all, Infinity none. */
export function isVerifyingTurn({ filled }: TemplateTrust, every: number = VERIFY_EVERY): boolean {
  return filled + 1 >= every;
}

export type TurnOutcome = 'filled' | 'agreed' | 'disagreed';

/** The trust after a turn; undefined: the template is to be dropped, and learned again from the rendering. */
export function trustAfter({ filled }: TemplateTrust, outcome: TurnOutcome): TemplateTrust | undefined {
  switch (outcome) {
    case 'filled':
      return { filled: filled + 1 };
    case 'agreed':
      return FRESH_TRUST;
    case 'disagreed':
      return undefined;
  }
}
