/**
 * `lab alerts`: the alerts that rules raise on real versions of pages, through the functions that a watch calls. Whether
 * anybody would want them is for a person to judge: docs/alerts.md has the lists.
 */
import type { AlertRule } from '../../model/alert.ts';
import type { Change, PageCourse } from '../../model/change.ts';
import { parseSelector } from '../../model/css-selector.ts';
import type { Layout } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { Millis } from '../../model/time.ts';
import { judgeChange } from '../../science/alerts/judge-change.ts';
import { regionOf } from '../../science/alerts/region.ts';
import { looksAt } from '../../science/alerts/rule-scope.ts';
import { schedule } from '../../science/alerts/schedule.ts';
import { changeOf } from '../../science/delta/change-of.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import type { AdLists } from '../../science/layout/ad-signals.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { withPast } from '../../stages/analyse-snapshot.ts';
import type { ShownVersion } from '../deltas/study.ts';
import { versionTime } from '../deltas/version-time.ts';
import { experiment } from '../experiment/experiment.ts';

export interface AlertsInput {
  readonly set: AsyncIterable<ShownVersion> | Iterable<ShownVersion>;
  readonly rules: readonly AlertRule[];
  readonly ads?: (url: string) => AdLists;
}

export interface ToldOf {
  readonly page: string;
  readonly url: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly summary: string;
}

export interface RuleStudy {
  readonly rule: string;
  /** Changes that the rule examined. */
  readonly looked: number;
  readonly told: readonly ToldOf[];
  readonly messages: number;
}

export interface AlertStudy {
  readonly changes: number;
  /** Changes whose operations are all on advertisements, and alerts on them: there must be none. */
  readonly onlyAds: number;
  readonly toldOfAds: number;
  readonly rules: readonly RuleStudy[];
}

/** The same values as in stages/analyse-page.ts. */
const TOLD_TIME = 3 * 86_400_000;
const COURSE_VISITS = 30;

export async function studyAlerts({ set, rules, ads }: AlertsInput): Promise<AlertStudy> {
  const told = new Map(rules.map(({ name }) => [name, { looked: 0, told: [] as ToldOf[] }]));
  const pages = new Map<string, PagePast>();
  const counts = { changes: 0, onlyAds: 0, toldOfAds: 0 };
  for await (const shown of set) {
    const { page, url, version, snapshot } = shown;
    const at = (versionTime(version) ?? Number.NaN) * 1000;
    if (!snapshot || Number.isNaN(at)) continue;
    const past = pages.get(page) ?? new PagePast();
    pages.set(page, past);
    const seen = past.see(snapshot, at, ads?.(url));
    if (!seen) continue;
    const { change, before } = seen;
    const isAdOnly =
      change.operations.length > 0 && change.operations.every(({ advertisement }) => advertisement);
    counts.changes++;
    if (isAdOnly) counts.onlyAds++;
    for (const rule of rules.filter(({ where }) => looksAt(where, url))) {
      const notes = told.get(rule.name) as { looked: number; told: ToldOf[] };
      notes.looked++;
      const selector = rule.where.css === undefined ? undefined : parseSelector(rule.where.css);
      const region = selector && { old: regionOf(before, selector), new: regionOf(snapshot, selector) };
      const verdict = judgeChange(rule, change, region && { region });
      if (!verdict.fires) continue;
      if (isAdOnly) counts.toldOfAds++;
      notes.told.push({ page, url, from: change.from, to: change.to, summary: verdict.summary });
    }
  }
  return {
    ...counts,
    rules: rules.map((rule) => {
      const notes = told.get(rule.name) as { looked: number; told: ToldOf[] };
      const inTime = notes.told.toSorted((a, b) => a.to - b.to);
      return { rule: rule.name, ...notes, messages: schedule(rule, inTime, ({ to }) => to).length };
    }),
  };
}

/** What is known of a page so far: what an archive would know that visited it at these times. */
class PagePast {
  #last: { readonly layout: Layout; readonly snapshot: PageSnapshot } | undefined;
  readonly #visits: Millis[] = [];
  readonly #changes: Change[] = [];

  /** The change against the previous version, and the snapshot of that one. */
  see(
    snapshot: PageSnapshot,
    at: Millis,
    ads: AdLists | undefined,
  ): { readonly change: Change; readonly before: PageSnapshot } | undefined {
    const last = this.#last;
    const version = new Date(at).toISOString();
    const { layout } = pageLayout(snapshot, { version, previous: last?.layout, ...(ads && { ads }) });
    if (!last) {
      this.#last = { layout, snapshot };
      this.#visits.push(at);
      return undefined;
    }
    const first = diffLayouts(last.layout, layout);
    const visited = this.#visits.slice(-COURSE_VISITS);
    this.#visits.push(at);
    if (first.operations.length === 0) return undefined;
    const { layout: weighed, delta } = withPast(last.layout, layout, first, {
      course: this.#course(visited),
      told: this.#told(at),
    });
    this.#last = { layout: weighed, snapshot };
    const change = changeOf(delta);
    this.#changes.push(change);
    return { change, before: last.snapshot };
  }

  #course(visits: readonly Millis[]): PageCourse {
    const since = visits[0] ?? 0;
    const changes = this.#changes.filter(({ to }) => to >= since);
    return { visits, changes: changes.map(({ to, course }) => ({ at: to, course })) };
  }

  #told(at: Millis): string[] {
    const recent = this.#changes.filter(({ to }) => to >= at - TOLD_TIME);
    return [...new Set(recent.flatMap(({ operations }) => operations.flatMap(({ old }) => old ?? [])))];
  }
}

export const alerts = experiment<AlertsInput, AlertStudy>({
  name: 'alerts',
  title: 'What rules tell of the versions of pages',
  method: 'Each version is compared with the one before, and the change is judged by each rule.',
  measure: studyAlerts,
  text: ({ changes, onlyAds, rules }) => [
    `${changes} changes, ${onlyAds} of them of advertisements alone`,
    {
      header: ['rule', 'changes looked at', 'told', 'messages'],
      rows: rules.map(({ rule, looked, told, messages }) => [rule, looked, told.length, messages]),
    },
    ...rules.map(({ rule, told }) =>
      [
        rule,
        ...told.map(
          ({ page, to, summary }) => `  ${new Date(to).toISOString().slice(0, 16)}  ${page}  ${summary}`,
        ),
      ].join('\n'),
    ),
  ],
  data: (study) => study,
  claims: [
    {
      statement: 'An advertisement alone never alerts.',
      verdict: ({ onlyAds, toldOfAds }) => ({
        holds: onlyAds === 0 ? 'not measured' : toldOfAds === 0 ? 'holds' : 'does not hold',
        ours: `${toldOfAds} alerts on ${onlyAds} changes of advertisements alone`,
      }),
    },
  ],
});
