import type { FaultKind } from './fault.ts';

/** What a page asked for in the browser and did not get, or not whole. What was kept from it by choice is not lost. */
export interface LostRequest {
  readonly url: string;
  /** What the page wanted it for, as CDP says it (image, script …). */
  readonly type: string;
  readonly fault: FaultKind;
  /** In the browser's words, where it has some. */
  readonly why: string;
  /**
   * `ask`: may be had directly. `unreachable`: our own guard could not connect to the host a moment ago, by the
   * same road that a direct request would take. `unrepeatable`: nothing that can be asked for once more (a form sent by a
   * script, an answer that may never come).
   */
  readonly remedy: 'ask' | 'unreachable' | 'unrepeatable';
}
