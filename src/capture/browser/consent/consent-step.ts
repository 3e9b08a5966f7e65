/**
 * Answers the banner of a page that asks for consent. The list's own script runs in an isolated world of each frame,
 * invisible to the page, and talks to us through a binding.
 */
import type { CdpSession } from '../cdp-connection.ts';
import type { PageVisit } from '../page-visit.ts';
import { within } from '../within.ts';
import { consentList, rulesFor } from './consent-list.ts';

/** How long a banner may take to be found and answered, in milliseconds, if the page has that long. */
const LIMIT = 8000;
/**
 * How long to wait for the banner of a provider that was detected, in milliseconds: one that was answered before shows
 * none.
 */
const BANNER_LIMIT = 2500;
const MOST_FRAMES = 20;
const WORLD = 'daguerre-consent';
const BINDING = 'daguerreConsent';

/** The script's messages, as far as they matter here. */
type Told =
  | { readonly type: 'init' }
  | { readonly type: 'eval'; readonly id: string; readonly code: string }
  | { readonly type: 'cmpDetected' | 'popupFound' | 'autoconsentDone'; readonly cmp: string }
  | { readonly type: 'optInResult' | 'optOutResult'; readonly cmp: string; readonly result: boolean }
  | { readonly type: 'report'; readonly state: { readonly lifecycle: string } };

/** States after which nothing more comes from a frame. */
const OVER = new Set(['nothingDetected', 'done', 'optOutFailed', 'optInFailed']);

/** True if a banner was answered: the page may now load more. */
export async function answerConsent(visit: PageVisit, answer: 'accept' | 'reject'): Promise<boolean> {
  const limit = Math.min(LIMIT, visit.leftToWait());
  if (limit === 0 || !visit.state.isShown) return false;
  const asking = new Asking(visit, answer);
  await within(limit, asking.run()).catch(() => undefined);
  asking.stop();
  const { found, answered } = asking;
  const by = `the rule '${answered ?? found}' of autoconsent ${consentList().version}`;
  if (answered !== undefined)
    visit.facts.add(
      `consent ${answer === 'accept' ? 'accepted' : 'rejected'}: a banner was answered, by ${by}`,
    );
  else if (found !== undefined) visit.facts.add(`consent not answered: a banner was found, by ${by}`);
  return answered !== undefined;
}

class Asking {
  found: string | undefined;
  answered: string | undefined;
  readonly #visit: PageVisit;
  readonly #answer: 'accept' | 'reject';
  /** Worlds that are not done yet. */
  readonly #open = new Set<string>();
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #end: () => void = () => {};

  constructor(visit: PageVisit, answer: 'accept' | 'reject') {
    this.#visit = visit;
    this.#answer = answer;
  }

  async run(): Promise<void> {
    const { tab, frames } = this.#visit;
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    const all = [...new Map(frames).set(tab.targetId, tab.main)].slice(-MOST_FRAMES);
    for (const session of new Set(all.map(([, one]) => one)))
      session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
        if (name === BINDING) void this.#told(session, executionContextId, payload).catch(() => {});
      });
    const begun = await Promise.all(all.map(([id, session]) => this.#begin(session, id)));
    // The page may have removed its frames, or none could be asked.
    if (begun.some(Boolean)) await ended;
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #begin(session: CdpSession, frameId: string): Promise<boolean> {
    try {
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
        frameId,
        worldName: WORLD,
      });
      await session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
      const key = worldKey(session, contextId);
      this.#open.add(key);
      const send = `window.autoconsentSendMessage = async (message) => ${BINDING}(JSON.stringify(message));`;
      const expression = `${send}\n${consentList().script}`;
      const { exceptionDetails } = await session.send('Runtime.evaluate', { expression, contextId });
      if (exceptionDetails) this.#done(key);
      return !exceptionDetails;
    } catch {
      return false;
    }
  }

  async #told(session: CdpSession, contextId: number, payload: string): Promise<void> {
    if (this.#isOver) return;
    const message = JSON.parse(payload) as Told;
    const key = worldKey(session, contextId);
    switch (message.type) {
      case 'init':
        await reply(session, contextId, { type: 'initResp', config: this.#config(), rules: this.#rules() });
        break;
      case 'eval':
        await reply(session, contextId, {
          type: 'evalResp',
          id: message.id,
          result: await inThePage(session, message.code),
        });
        break;
      case 'cmpDetected':
        this.#timer ??= setTimeout(() => {
          if (this.found === undefined) this.#end();
        }, BANNER_LIMIT);
        break;
      case 'popupFound':
        this.found ??= message.cmp;
        break;
      case 'optInResult':
      case 'optOutResult':
        if (message.result) this.answered = message.cmp;
        break;
      case 'autoconsentDone':
        this.#end();
        break;
      case 'report':
        if (OVER.has(message.state.lifecycle)) this.#done(key);
    }
  }

  #done(key: string): void {
    this.#open.delete(key);
    if (this.#open.size === 0) this.#end();
  }

  #rules(): object {
    return { autoconsent: rulesFor(this.#visit.finalUrl, consentList()) };
  }

  #config(): object {
    return {
      enabled: true,
      autoAction: this.#answer === 'accept' ? 'optIn' : 'optOut',
      disabledCmps: [],
      enablePrehide: false,
      // Hiding a banner does not answer it.
      enableCosmeticRules: false,
      enableGeneratedRules: true,
      // The page has settled: its banner is there, or comes within half a second. Further tries wait for the page to
      // change.
      detectRetries: 1,
      isMainWorld: false,
      prehideTimeout: 2000,
      // Only what the list knows: a guess could click anything.
      enableHeuristicDetection: false,
      heuristicMode: 'off',
      logs: {},
    };
  }
}

const worldKey = ({ id = '' }: CdpSession, contextId: number): string => `${id}:${contextId}`;

async function reply(session: CdpSession, contextId: number, message: object): Promise<void> {
  const expression = `void autoconsentReceiveMessage(${JSON.stringify(message)})`;
  await session.send('Runtime.evaluate', { expression, contextId });
}

/** Some rules evaluate code that needs the page's own scripts. */
async function inThePage(session: CdpSession, code: string): Promise<unknown> {
  try {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: code,
      returnByValue: true,
      awaitPromise: true,
      timeout: 1000,
    });
    return exceptionDetails ? false : result.value;
  } catch {
    return false;
  }
}
