/** What is done with a page beyond scrolling. A behaviour that throws or never ends costs only its time limit and a fact. */
import { behaviorFact } from '../../../model/page-spec.ts';
import { CdpError } from '../cdp-connection.ts';
import type { PageLook } from '../page-script.ts';
import type { PageVisit } from '../page-visit.ts';
import { settle } from '../settle-step.ts';
import { within } from '../within.ts';
import { type BehaviorScript, behaviorScript } from './behavior-scripts.ts';

/** Per behaviour, in milliseconds, unless the request sets it. */
const TIME_LIMIT = 20_000;
/** How long a page has to answer once a behaviour was stopped, in milliseconds. */
const RECOVERY = 1000;

export async function behave(visit: PageVisit, found: { look: PageLook | undefined }): Promise<void> {
  const { request, state } = visit;
  const scripts = (request.behaviors ?? []).flatMap((one) => behaviorScript(one) ?? []);
  if (scripts.length === 0 || !state.isShown || state.areScriptsStopped) return;
  // Clicks may open anything but navigate nowhere: where they would have led is recorded as a link.
  if (!state.isHeld) state.hold();
  const { finalUrl } = visit;
  const { started } = visit.recorder.log;
  for (const script of scripts) if (!state.areScriptsStopped) await run(visit, script);
  visit.finalUrl = finalUrl;
  if (visit.recorder.log.started > started) await settle(visit, found);
}

async function run(visit: PageVisit, { name, run: expression, stop }: BehaviorScript): Promise<void> {
  const limit = Math.min(visit.request.behaviorTimeout ?? TIME_LIMIT, visit.leftToWait());
  if (limit <= 0) {
    visit.facts.add(behaviorFact(name, "was not begun: the page's time was short"));
    return;
  }
  const { main, targetId } = visit.tab;
  const begun = performance.now();
  const { started } = visit.recorder.log;
  const tell = (end: string): void => {
    const requests = visit.recorder.log.started - started;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    visit.facts.add(behaviorFact(name, `${end} after ${seconds} s, with ${requests} requests`));
  };
  try {
    const { executionContextId: contextId } = await main.send('Page.createIsolatedWorld', {
      frameId: targetId,
      worldName: `behaviour ${name}`,
    });
    const running = main.send('Runtime.evaluate', {
      ...{ expression, contextId, awaitPromise: true, returnByValue: true, userGesture: true },
    });
    const end = await within(limit, running);
    if (end === undefined) {
      // A script that never yields is terminated; one that is waiting is told to end.
      await main.send('Runtime.terminateExecution');
      const stopped = await within(RECOVERY, main.send('Runtime.evaluate', { expression: stop, contextId }));
      if (stopped === undefined) visit.stopScripts(`behaviour ${name} did not end`);
      tell('was stopped at its time limit');
    } else if (end.exceptionDetails) {
      const { exception, text } = end.exceptionDetails;
      tell(`failed (${(exception?.description ?? text).split('\n', 1)[0]?.slice(0, 200)})`);
    } else if (end.result.value) visit.facts.add(behaviorFact(name, String(end.result.value)));
    else tell('ended');
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    tell(`failed (${error.message.slice(0, 200)})`);
  }
}
