/**
 * When a template's result is checked against a browser's: trust lasts for a while only.
 *
 *   trusted, n versions filled ──filled──▶ trusted, n + 1 ──the n-th is verified──▶ agreed ──▶ trusted, 0
 *                                                                            └──▶ disagreed ──▶ doubted
 *   doubted ──each version is verified──▶ agreed ──▶ trusted, 0
 *
 * A page with no turn yet is trusted: a template is learned only where it reproduces the layout of its own rendering.
 */

export type TurnOutcome = 'filled' | 'agreed' | 'disagreed';

/** The latest state of trust in a page's template. */
export interface TemplateTurn {
  readonly outcome: TurnOutcome;
  /** Versions filled since the template last agreed with a rendering. */
  readonly filled: number;
}

/** Whether the new version is to be rendered too. One version in `every` is; 1 verifies all. */
export function isVerifyingTurn(last: TemplateTurn | undefined, every: number): boolean {
  return last?.outcome === 'disagreed' || (last?.filled ?? 0) + 1 >= every;
}

export function turnAfter(last: TemplateTurn | undefined, outcome: TurnOutcome): TemplateTurn {
  return { outcome, filled: outcome === 'filled' ? (last?.filled ?? 0) + 1 : 0 };
}
