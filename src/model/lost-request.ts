import type { FaultKind } from './fault.ts';

/** What a page requested in the browser and did not get, or not all of. What was blocked by choice is not lost. */
export interface LostRequest {
  readonly url: string;
  /** What the page wanted it for, as CDP says it (image, script …). */
  readonly type: string;
  readonly fault: FaultKind;
  /** In the browser's words, where it has some. */
  readonly why: string;
  /**
   * `ask`: a direct request may get it. `unreachable`: our own guard could not connect to the host a moment ago, by the
   * same route that a direct request would take. `unrepeatable`: cannot be requested again (a form sent by a
   * script, an answer that may never come).
   */
  readonly remedy: 'ask' | 'unreachable' | 'unrepeatable';
}
