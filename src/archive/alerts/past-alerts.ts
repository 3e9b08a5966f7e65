import { listChanges } from '../../access/changes.ts';
import type { Alert, AlertRule } from '../../model/alert.ts';
import { GONE_STATUSES } from '../../model/exchange.ts';
import type { Millis } from '../../model/time.ts';
import { asksForChanges, judgeChange } from '../../science/alerts/judge-change.ts';
import { type JudgedVisit, judgeVisit } from '../../science/alerts/judge-visit.ts';
import { looksAt } from '../../science/alerts/rule-scope.ts';
import { type Scheduled, schedule } from '../../science/alerts/schedule.ts';
import { alertKey, errorsBefore, isSizedVersion, LAST_VERSIONS } from '../../stages/judge-alerts.ts';
import { changeFacts, wholeChange } from '../../stages/stored/change-facts.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { alertId } from './alert-id.ts';
import { captureAlerts } from './capture-findings.ts';

export interface Period {
  readonly since: Millis;
  readonly until: Millis;
}

/** What a rule would have told in the past. */
export interface PastOfRule {
  readonly rule: AlertRule;
  /** In chronological order; each dated by its capture. */
  readonly alerts: readonly Alert[];
  /** What would have gone out, by digest, span and quiet hours. */
  readonly messages: readonly Scheduled<Alert>[];
}

type ReadArchive = Pick<OpenArchive, 'catalog' | 'reader'>;

/**
 * What rules would have told over the archive's past: judged by the same functions as live, on stored data. Two things
 * are as known today: the pattern of a page, and which of its deltas were made by a later analysis.
 */
export async function pastAlerts(
  rules: readonly AlertRule[],
  archive: ReadArchive,
  period: Period,
): Promise<PastOfRule[]> {
  const told = [
    ...(await ofChanges(rules, archive, period)),
    ...(await ofSightings(rules, archive, period)),
    ...(await ofFailures(rules, archive, period)),
    ...(await ofSizes(rules, archive, period)),
    ...(await captureAlerts(rules, archive, period)),
  ].sort((a, b) => a.to - b.to || (a.url < b.url ? -1 : 1));
  return rules.map((rule) => {
    const alerts = told.filter((alert) => alert.rule === rule.name);
    return { rule, alerts, messages: schedule(rule, alerts, ({ madeAt }) => madeAt) };
  });
}

type Draft = Omit<Alert, 'id' | 'madeAt'>;

const made = (draft: Draft): Alert => ({ ...draft, madeAt: draft.to, id: alertId(alertKey(draft)) });

async function ofChanges(
  rules: readonly AlertRule[],
  archive: ReadArchive,
  { since, until }: Period,
): Promise<Alert[]> {
  const asking = rules.filter(asksForChanges);
  if (asking.length === 0) return [];
  const told: Alert[] = [];
  for await (const change of listChanges(archive.catalog, { since, until, sort: 'time' })) {
    const { url, from, to } = change;
    for (const rule of asking.filter(({ where }) => looksAt(where, url))) {
      const facts = await changeFacts(rule, change, archive);
      const verdict = judgeChange(rule, await wholeChange(rule, change, archive), facts);
      if (!verdict.fires) continue;
      const { fires: _, ...rest } = verdict;
      told.push(made({ rule: rule.name, kind: 'change', url, from, to, ...rest }));
    }
  }
  return told;
}

function ofVisit(rule: AlertRule, url: string, to: Millis, visit: JudgedVisit): Alert[] {
  return judgeVisit(rule, visit).map((told) => made({ rule: rule.name, url, to, operations: [], ...told }));
}

/** Pages that went, and came back. */
async function ofSightings(
  rules: readonly AlertRule[],
  { catalog }: ReadArchive,
  { since, until }: Period,
): Promise<Alert[]> {
  const asking = rules.filter(({ when }) => when.gone || when.back);
  if (asking.length === 0) return [];
  const told: Alert[] = [];
  for (const { site } of await catalog.sites())
    for await (const pages of catalog.seenPages(site, 0))
      for (const { url, sightings } of pages) {
        const mine = asking.filter(({ where }) => looksAt(where, url));
        sightings.forEach(({ at, state }, i) => {
          const last = sightings[i - 1];
          if (!last || last.state === state || at < since || at > until) return;
          const detail = `the server said so (${GONE_STATUSES.join(', ')})`;
          const visit = { found: state, detail, past: { last, errors: 0, sizes: [] } };
          for (const rule of mine) told.push(...ofVisit(only(rule, ['gone', 'back']), url, at, visit));
        });
      }
  return told;
}

/** The rule with only these conditions. */
const only = (rule: AlertRule, conditions: readonly (keyof AlertRule['when'])[]): AlertRule => ({
  ...rule,
  when: Object.fromEntries(Object.entries(rule.when).filter(([name]) => conditions.includes(name as 'gone'))),
});

async function ofFailures(
  rules: readonly AlertRule[],
  { catalog }: ReadArchive,
  { since, until }: Period,
): Promise<Alert[]> {
  const asking = rules.filter(({ when }) => when.errors !== undefined);
  if (asking.length === 0) return [];
  const failed = new Set((await catalog.visits({ outcome: 'failed' })).map(({ url }) => url));
  const told: Alert[] = [];
  for (const url of failed) {
    const mine = asking.filter(({ where }) => looksAt(where, url));
    if (mine.length === 0) continue;
    const visits = (await catalog.visits({ url })).filter(({ outcome }) => outcome !== 'deferred');
    visits.forEach(({ at, outcome, status, fault }, i) => {
      const isGone = (GONE_STATUSES as readonly number[]).includes(status ?? 0);
      if (outcome !== 'failed' || isGone || at < since || at > until) return;
      const detail = fault?.detail ?? `the server answered ${status}`;
      const past = { errors: errorsBefore(visits.slice(i + 1)), sizes: [] };
      for (const rule of mine)
        told.push(...ofVisit(only(rule, ['errors']), url, at, { found: 'error', detail, past }));
    });
  }
  return told;
}

/** Pages that shrank. */
async function ofSizes(
  rules: readonly AlertRule[],
  { catalog }: ReadArchive,
  { since, until }: Period,
): Promise<Alert[]> {
  const asking = rules.filter(({ when }) => when.shrunk !== undefined);
  if (asking.length === 0) return [];
  const told: Alert[] = [];
  for (const { site } of await catalog.sites())
    for (const { url } of await catalog.pages({ site })) {
      const mine = asking.filter(({ where }) => looksAt(where, url));
      if (mine.length === 0) continue;
      const versions = (await catalog.versions({ url })).filter(isSizedVersion);
      versions.forEach(({ at, size }, i) => {
        if (at < since || at > until) return;
        const sizes = versions.slice(i + 1, i + 1 + LAST_VERSIONS).map((version) => version.size);
        const visit = { found: 'there', detail: '', size, past: { errors: 0, sizes } } as const;
        for (const rule of mine) told.push(...ofVisit(only(rule, ['shrunk']), url, at, visit));
      });
    }
  return told;
}
