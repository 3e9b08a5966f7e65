import type { CrawlSpec, FrontierEntry } from '../model/crawl.ts';
import { decisionWords } from '../model/decision.ts';
import type { Decisions } from '../model/decisions.ts';
import { CaptureFault, type SkipReason } from '../model/fault.ts';
import type { Millis } from '../model/time.ts';
import type { RobotsRules } from '../ports/robots.ts';
import type { Scope } from '../ports/scope.ts';
import { isMute, POLITENESS } from '../science/policy/politeness.ts';
import { EVERYTHING_ALLOWED } from '../stages/fetch-robots.ts';
import type { Host } from './host.ts';
import { isPromised } from './hosts.ts';
import type { Inferences } from './inferences.ts';
import { limitDetail } from './limits.ts';

/** Why an entry that has its turn is not asked for after all. */
export interface Refusal {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** What is done with an entry that has its turn. */
export type Turn =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'given-up'; readonly fault: CaptureFault }
  /** Its host's robots.txt is not known yet, or too old. */
  | { readonly kind: 'ask-robots' }
  /** Its directory is taken for unchanged. */
  | { readonly kind: 'kept' }
  /** What its site is spared is not decided yet, or is being decided. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'visit'; readonly rules: RobotsRules };

const MUTE =
  `not asked for: ${POLITENESS.muteAfter} things in a row that pages of its host embed did not come, ` +
  'and nothing else was answered in between';

export interface TurnContext {
  readonly spec: CrawlSpec;
  readonly scope: Pick<Scope, 'trapOf'>;
  readonly decisions: Decisions;
  readonly pagesClaimed: number;
  /** Pages that wait and that room is kept for. */
  readonly promised: number;
  /** Lost in the browser since their hosts could not be reached. */
  readonly unreachable: ReadonlyMap<string, CaptureFault>;
  readonly inferences: Pick<Inferences, 'keeps' | 'awaitsPlan' | 'isPlanning'>;
}

export function turnOf(entry: FrontierEntry, host: Host, now: Millis, context: TurnContext): Turn {
  const { spec, unreachable, inferences } = context;
  const isPage = entry.kind === 'page';
  const decided = decidedOut(entry, now, context);
  if (decided) return { kind: 'refused', refusal: decided };
  if (isPage && !entry.isSeed && inferences.keeps(entry.url)) return { kind: 'kept' };
  const atOnce = refusedAtOnce(entry, context);
  if (atOnce) return { kind: 'refused', refusal: atOnce };
  if (
    isPage &&
    !entry.isSeed &&
    !isPromised(entry) &&
    context.pagesClaimed + context.promised >= spec.limits.pages
  )
    return { kind: 'wait' };
  if (host.politeness.givenUp)
    return {
      kind: 'given-up',
      fault: new CaptureFault(host.lastFault, entry.url, host.politeness.reason),
    };
  if (!isPage && entry.kind !== 'revisit' && isMute(host.politeness))
    return { kind: 'given-up', fault: new CaptureFault(host.lastFault, entry.url, MUTE) };
  const lost = entry.kind === 'lost' ? unreachable.get(entry.url) : undefined;
  if (lost) return { kind: 'given-up', fault: lost };
  const rules = spec.politeness.robots ? host.robots(entry, now) : EVERYTHING_ALLOWED;
  if (!rules) return { kind: 'ask-robots' };
  if (isPage && inferences.awaitsPlan(entry.url)) return { kind: 'plan' };
  if (isPage && inferences.isPlanning(entry.url)) return { kind: 'wait' };
  const verdict = rules.allows(entry.url);
  if (verdict.allowed) return { kind: 'visit', rules };
  return { kind: 'refused', refusal: { reason: 'robots', detail: verdict.detail } };
}

/** By a person, perhaps while the entry waited; of seeds too. */
function decidedOut(
  { url }: FrontierEntry,
  now: Millis,
  { decisions }: Pick<TurnContext, 'decisions'>,
): Refusal | undefined {
  const { verdict } = decisions.on(url, now);
  return verdict?.act.kind === 'out' ? { reason: 'decided', detail: decisionWords(verdict) } : undefined;
}

/** By what needs no request: the page limit, and traps that were found after the entry joined the queue. */
function refusedAtOnce(
  entry: FrontierEntry,
  { spec: { limits }, scope, pagesClaimed }: TurnContext,
): Refusal | undefined {
  if (entry.kind !== 'page') return undefined;
  if (pagesClaimed >= limits.pages)
    return { reason: 'page-limit', detail: limitDetail(limits, 'page-limit') };
  return entry.isSeed ? undefined : scope.trapOf(entry.url);
}
