import type { CaptureFact, EventDraft } from '../../model/capture.ts';
import type { FrontierEntry } from '../../model/crawl.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { LostRequest } from '../../model/lost-request.ts';
import type { VisitFinding } from '../../ports/alert-judge.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import { answerOf } from '../../science/policy/answer.ts';
import { analyse } from './analyse.ts';
import { ask } from './ask.ts';
import { digest } from './digest.ts';
import { discoverLinks } from './discover-links.ts';
import { findingOf } from './finding.ts';
import { judge } from './judge.ts';
import { nothingStored } from './nothing-stored.ts';
import { recognise } from './recognise.ts';
import { record } from './record.ts';
import { show } from './show.ts';
import { release, type VisitState, type VisitStates, type VisitWorld } from './visit-state.ts';

interface VisitStep {
  readonly name: string;
  run(state: VisitState, world: VisitWorld): Promise<VisitState>;
}

const step = <From extends keyof VisitStates>(
  name: string,
  from: From,
  run: (state: VisitStates[From], world: VisitWorld) => Promise<VisitState>,
): VisitStep => ({
  name,
  run: (state, world) => run(reached(state, from, name), world),
});

function reached<At extends keyof VisitStates>(state: VisitState, at: At, by: string): VisitStates[At] {
  if (state.at !== at) throw new Error(`'${by}' begins where a visit is ${at}, not ${state.at}`);
  return state as VisitStates[At];
}

/**
 * What is done in a visit, in order; `record` is the last, when the records are in the file. The second visit of a page
 * goes the same way, over HTTP alone: is it still what it was? A server that ignores the condition sends the page
 * again, and its digest decides. One that says "not modified" is believed, since there is nothing to compare: a page
 * whose ETag stays while its bytes change is then taken for unchanged.
 */
const WITH_A_WORKER: readonly VisitStep[] = [
  step('ask', 'begun', ask),
  step('recognise', 'asked', recognise),
  step('render or fill', 'recognised', show),
  step('digest', 'shown', digest),
  step('discover', 'digested', discoverLinks),
];
/** Analysis has a thread of its own. */
const AFTERWARDS: readonly VisitStep[] = [
  step('analyse', 'discovered', analyse),
  step('judge', 'analysed', judge),
];

/** The result of a visit. Its records are written, and `complete` called, by the committer, in order. */
export interface VisitResult {
  /** URLs that its commit brings to the frontier. */
  readonly links: number;
  /** URLs that are not worth asking for: the host could not be reached while the page was shown. */
  readonly unreachable: ReadonlyMap<string, CaptureFault>;
  /** Comes when the page is analysed: that is no more work for the host, nor for the crawl. */
  readonly finished: Promise<FinishedVisit>;
  /** Frees spooled bodies; to be called when the records are written or given up. */
  release(): Promise<void>;
}

export interface FinishedVisit {
  /** Undefined when there is nothing to store. */
  readonly draft: EventDraft | undefined;
  /** What the catalog is to know, once the facts of the stored records are there. */
  complete(facts: readonly CaptureFact[]): VisitCommit;
  /** What it found, for rules on alerts; absent where it brought nothing to store. */
  finding?(): Promise<VisitFinding | undefined>;
}

/** The whole of one visit. Never rejects for what the web does. */
export async function visit(entry: FrontierEntry, world: VisitWorld): Promise<VisitResult> {
  const { ports, context } = world;
  const startedAt = ports.clock.now();
  let state: VisitState = { at: 'begun', entry, startedAt };
  try {
    for (const { run } of WITH_A_WORKER) state = await run(state, world);
  } catch (error) {
    await release(state);
    if (!(error instanceof CaptureFault)) throw error;
    const now = ports.clock.now();
    context.onAnswer(
      state.at === 'begun' || error.kind.startsWith('browser')
        ? { responseTime: now - startedAt, fault: error.kind }
        : answerOf(state.document.exchange, error),
    );
    return nothingStored(entry, error, startedAt, now, context.spec);
  }
  const done = reached(state, 'discovered', 'the result');
  const { discovered, skips } = done.discovery;
  return {
    links: discovered.length + skips.length,
    unreachable: unreachable(done.lost),
    finished: finish(done, world),
    release: () => release(done),
  };
}

async function finish(done: VisitState, world: VisitWorld): Promise<FinishedVisit> {
  let state = done;
  for (const { run } of AFTERWARDS) state = await run(state, world);
  const judged = reached(state, 'judged', 'record');
  return {
    draft: judged.draft,
    complete: (captures) => record(judged, captures, world),
    finding: () => findingOf(judged),
  };
}

function unreachable(lost: readonly LostRequest[]): ReadonlyMap<string, CaptureFault> {
  return new Map(
    lost
      .filter(({ remedy }) => remedy === 'unreachable')
      .map(({ url, fault, why }) => [url, new CaptureFault(fault, url, `asked for in the browser: ${why}`)]),
  );
}
