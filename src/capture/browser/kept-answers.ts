/** Answers every request of a page from what is kept. Nothing is let through to the network. */
import type { HeaderList } from '../../model/exchange.ts';
import type { KeptAnswer, ViewRequest } from '../../ports/page-viewer.ts';
import { BrowserGone, type CdpEvent, type CdpSession, TargetGone } from './cdp-connection.ts';
import type { Facts } from './facts.ts';
import { givenDocument } from './given-document.ts';

type Paused = CdpEvent<'Fetch.requestPaused'>;

/**
 * Scripts are blocked by the document's own policy. `Emulation.setScriptExecutionDisabled` was tried: it shows
 * `<noscript>`, which no visitor saw, and stops the timers of our own scripts.
 */
const NO_SCRIPTS: HeaderList = [['content-security-policy', "script-src 'none'"]];

/** Has a body: Chromium replaces an empty error with a page of its own. */
const NOT_KEPT = Buffer.from('<!doctype html>').toString('base64');

export interface KeptOptions extends Pick<ViewRequest, 'answer' | 'scripts'> {
  /** Bytes of one answer. */
  readonly sizeLimit: number;
  readonly facts: Facts;
}

export class KeptAnswers {
  readonly missing = new Set<string>();
  readonly #options: KeptOptions;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /**
   * Gives a 404 where nothing is kept; but if the page is `leaving` for it, shows nothing and returns false. Never
   * rejects: an answer that cannot be given counts as missing too.
   */
  async give(session: CdpSession, paused: Paused, leaving: boolean): Promise<boolean> {
    const url = paused.request.url.split('#', 1)[0] ?? '';
    try {
      return await this.#answer(session, paused, url, leaving);
    } catch (error) {
      // The tab was closed: nothing awaits the answer any longer.
      if (error instanceof TargetGone || error instanceof BrowserGone) return true;
      this.#missing(url, `could not be given to the page (${String(error)})`);
      session
        .send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' })
        .catch(() => {});
      return true;
    }
  }

  async #answer(session: CdpSession, paused: Paused, url: string, leaving: boolean): Promise<boolean> {
    const { requestId } = paused;
    const answer = await this.#lookUp(url);
    if (answer === undefined && leaving) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return false;
    }
    if (answer === undefined) {
      await session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 404,
        responseHeaders: [{ name: 'content-type', value: 'text/html' }],
        body: NOT_KEPT,
      });
      return true;
    }
    const { scripts, sizeLimit, facts } = this.#options;
    const rules = paused.resourceType === 'Document' && !scripts ? NO_SCRIPTS : [];
    const given = await givenDocument(answer, sizeLimit, rules);
    if (given.cut) facts.add(`${given.cut}: ${url}`);
    await given.answer(session, requestId);
    return true;
  }

  async #lookUp(url: string): Promise<KeptAnswer | undefined> {
    let why = 'not kept';
    try {
      const answer = await this.#options.answer(url);
      if (answer !== undefined) return answer;
    } catch (error) {
      why = `could not be read (${String(error)})`;
    }
    this.#missing(url, why);
    return undefined;
  }

  #missing(url: string, why: string): void {
    this.missing.add(url);
    this.#options.facts.add(`${why}: ${url}`);
  }
}
