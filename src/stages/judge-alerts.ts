import type { Alert, AlertRule } from '../model/alert.ts';
import { GONE_STATUSES } from '../model/exchange.ts';
import type { Millis } from '../model/time.ts';
import type { PageVersionFact } from '../model/version.ts';
import type { AlertJudge, VisitFinding } from '../ports/alert-judge.ts';
import type { PatternCatalog, ResultCatalog } from '../ports/catalog.ts';
import { asksForChanges, judgeChange } from '../science/alerts/judge-change.ts';
import { judgeVisit, type VisitPast } from '../science/alerts/judge-visit.ts';
import { looksAt } from '../science/alerts/rule-scope.ts';
import { changeFacts, type FactPorts, wholeChange } from './stored/change-facts.ts';

export interface JudgePorts extends FactPorts {
  readonly catalog: FactPorts['catalog'] &
    Pick<PatternCatalog, 'sightings' | 'versions'> &
    Pick<ResultCatalog, 'visits'>;
  /** A short name for a long text: equal texts have equal names, different ones different names. */
  readonly idOf: (text: string) => string;
  readonly now: () => Millis;
}

/** How many versions "the last ones" are at most. */
export const LAST_VERSIONS = 5;
/** How many tries one visit may have taken; they are listed among the visits. */
const TRIES = 10;

/** The same for the same rule, page and event, live and over the past. */
export const alertKey = ({ rule, url, kind, to }: Pick<Alert, 'rule' | 'url' | 'kind' | 'to'>): string =>
  [rule, url, kind, to].join('\n');

/** Stage: what rules report of a visit before it is stored. The rules may differ at each visit. */
export function alertJudge(rules: () => readonly AlertRule[], ports: JudgePorts): AlertJudge {
  return async (finding) => {
    const { url, at } = finding;
    const mine = rules().filter(({ where }) => looksAt(where, url));
    const drafts = [...(await ofChange(mine, finding, ports)), ...(await ofVisit(mine, finding, ports))];
    const madeAt = ports.now();
    return drafts.map((draft) => {
      const alert = { url, to: at, madeAt, ...draft };
      return { ...alert, id: ports.idOf(alertKey(alert)) };
    });
  };
}

type Draft = Omit<Alert, 'id' | 'url' | 'to' | 'madeAt'>;

async function ofChange(
  rules: readonly AlertRule[],
  { change, snapshot, viDelta }: VisitFinding,
  ports: JudgePorts,
): Promise<Draft[]> {
  if (!change) return [];
  const told: Draft[] = [];
  const fresh = { ...(snapshot !== undefined && { snapshot }), ...(viDelta !== undefined && { viDelta }) };
  for (const rule of rules.filter(asksForChanges)) {
    const facts = await changeFacts(rule, change, ports, fresh);
    const verdict = judgeChange(rule, await wholeChange(rule, change, ports, fresh), facts);
    if (!verdict.fires) continue;
    const { fires: _, ...rest } = verdict;
    told.push({ rule: rule.name, kind: 'change', from: change.from, ...rest });
  }
  return told;
}

async function ofVisit(
  rules: readonly AlertRule[],
  finding: VisitFinding,
  ports: JudgePorts,
): Promise<Draft[]> {
  const { found, size } = finding;
  if (found === 'elsewhere') return [];
  const asking = rules.filter(({ when }) => asksOf(when, found));
  if (asking.length === 0) return [];
  const past = await pastOf(asking, finding, ports);
  const detail = finding.fault?.detail ?? `the server answered ${finding.status}`;
  const visit = { found, detail, past, ...(size !== undefined && { size }) };
  return asking.flatMap((rule) =>
    judgeVisit(rule, visit).map((told) => ({ rule: rule.name, operations: [], ...told })),
  );
}

/** Whether a rule has a condition that such a visit may fulfil: most have none, and the past need not be read. */
function asksOf({ gone, back, errors, shrunk }: AlertRule['when'], found: VisitFinding['found']): boolean {
  if (found === 'gone') return gone === true;
  return found === 'error' ? errors !== undefined : back === true || shrunk !== undefined;
}

async function pastOf(
  rules: readonly AlertRule[],
  { url, at, found }: VisitFinding,
  { catalog }: JudgePorts,
): Promise<VisitPast> {
  const isShrunkAsked = found === 'there' && rules.some(({ when }) => when.shrunk !== undefined);
  const most = Math.max(0, ...rules.map(({ when }) => when.errors ?? 0));
  const versions = isShrunkAsked ? await catalog.versions({ url, limit: LAST_VERSIONS * TRIES }) : [];
  const sizes = versions.filter(isSizedVersion).map(({ size }) => size);
  const visits = found === 'error' ? await catalog.visits({ url, limit: most * TRIES }) : [];
  const last = await lastSeen(url, at, catalog);
  return { ...(last && { last }), errors: errorsBefore(visits), sizes: sizes.slice(0, LAST_VERSIONS) };
}

/** Visits that found a version again have no size of their own. */
export const isSizedVersion = ({ size, reason }: PageVersionFact): boolean =>
  size > 0 && reason !== 'unchanged';

const isGone = (status: number | undefined): boolean =>
  status !== undefined && (GONE_STATUSES as readonly number[]).includes(status);

/** Newest first; deferred visits count as part of the next one. */
export function errorsBefore(
  visits: readonly { readonly outcome: string; readonly status?: number }[],
): number {
  const settled = visits.filter(({ outcome }) => outcome !== 'deferred');
  const end = settled.findIndex(({ outcome, status }) => outcome !== 'failed' || isGone(status));
  return end < 0 ? settled.length : end;
}

/** The last capture decides it, unless that was neither the page nor its absence. */
async function lastSeen(
  url: string,
  before: Millis,
  catalog: JudgePorts['catalog'],
): Promise<VisitPast['last']> {
  const last = await catalog.closest(url, before - 1);
  if (!last) return undefined;
  const { status, at } = last;
  if (at < before && isGone(status)) return { state: 'gone', at };
  if (at < before && ((status >= 200 && status < 300) || status === 304)) return { state: 'there', at };
  const [page] = await catalog.sightings([url]);
  return page?.sightings.findLast((sighting) => sighting.at < before);
}
