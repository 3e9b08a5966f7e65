import type { RefreshPlan } from '../archive/refresh/plan-refresh.ts';
import type { RefreshedSite, RefreshReport } from '../archive/refresh/run-refresh.ts';
import { textTable } from '../lab/experiment/text-table.ts';
import { figure } from '../science/policy/sites/site-priority.ts';
import { plural } from './quantity-text.ts';

/** Sites of a plan, and of the remainder, that are shown to a person. */
const SHOWN = 100;

/** What will be read, in which order and why. */
export function planText({ sites, left, unwanted, decidedOut }: RefreshPlan, pages: number): string {
  const expected = sites.reduce((sum, { candidate, limit }) => sum + Math.min(limit, candidate.pages), 0);
  const lines = [
    sites.length === 0
      ? `Nothing to read: ${left.length === 0 ? 'the archive knows no site' : `no site fits into ${plural(pages, 'page')}`}.`
      : `To be read, in this order: ${plural(sites.length, 'site')}, about ${expected} of ${plural(pages, 'page')}.`,
    ...sites.slice(0, SHOWN).map(({ candidate, side, isPart, limit }, index) => {
      const kind = side === 'discovery' ? `  new: ${candidate.estimated ?? ''};` : '';
      const part = isPart ? `  only ${limit} pages of it;` : '';
      return `  ${String(index + 1).padStart(3)}. ${candidate.site}${kind}${part}  ${candidate.reason}`;
    }),
    ...(sites.length > SHOWN ? [`  and ${sites.length - SHOWN} more; --json lists all`] : []),
    ...(left.length > 0 ? [leftLine(left)] : []),
    ...(unwanted.length > 0 ? [unwantedLine(unwanted)] : []),
    ...(decidedOut.length > 0 ? [decidedLine(decidedOut)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Names shown of the remaining sites. */
const NAMED = 5;

function leftLine(left: readonly { readonly site: string; readonly pages: number }[]): string {
  const named = left.slice(0, NAMED).map(({ site, pages }) => `${site} (${pages})`);
  const more = left.length - named.length;
  return `For another time, since they do not fit: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

const someOf = (sites: readonly string[]): string => {
  const more = sites.length - NAMED;
  return `${sites.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const unwantedLine = (sites: readonly string[]): string =>
  `Known by links alone and not wanted: ${someOf(sites)}.`;

const decidedLine = (sites: readonly string[]): string =>
  `Not read, since it was decided to leave them out: ${someOf(sites)}.`;

/** For a site that was not read whole: how much of it was, and why. */
function partOf({ visited, unread, left = Number.POSITIVE_INFINITY }: RefreshedSite): string {
  const why = visited >= left ? 'the budget ended' : 'the page limit of its last crawl';
  return `${visited} of ${plural(visited + unread, 'page')}: ${why}`;
}

export function siteLine(read: RefreshedSite): string {
  const { site, visited, proven, inferred, unread, report } = read;
  const { new: fresh, changed, unchanged, gone, failed } = report;
  const bad = failed > 0 ? `, ${failed} failed` : '';
  return (
    `${site}: ${unread > 0 ? partOf(read) : `${plural(visited, 'page')} visited`}; ${proven} proven (${fresh} new, ${changed} changed, ` +
    `${unchanged} unchanged), ${inferred} inferred${gone > 0 ? `, ${gone} gone` : ''}${bad}`
  );
}

/** What the budget achieved. */
export function refreshText(report: RefreshReport): string {
  const { state, budget, spent, sites, before, left, unwanted, decidedOut } = report;
  const sum = (of: (site: RefreshedSite) => number): number => sites.reduce((all, site) => all + of(site), 0);
  const all = spent.refresh + spent.discovery;
  const earlier = before.length > 0 ? `, ${before.length} of them before it was interrupted` : '';
  const header = [
    'ρ',
    'site',
    'visited',
    'proven',
    'inferred',
    'new',
    'changed',
    'unchanged',
    'gone',
    'failed',
  ];
  const rows = sites.map(({ site, priority, visited, proven, inferred, report }) => [
    figure(priority),
    site,
    visited,
    proven,
    inferred,
    report.new,
    report.changed,
    report.unchanged,
    report.gone,
    report.failed,
  ]);
  const parts = sites.filter(({ unread }) => unread > 0);
  const inferred = sum((one) => one.inferred);
  const missed = sum(({ report }) => report.inferred?.expectedMissed ?? 0);
  return `${[
    `${state === 'finished' ? 'Finished' : 'Stopped'}: ${plural(sites.length + before.length, 'site')} read${earlier}; ` +
      `${all} of ${plural(budget, 'page')} spent` +
      (spent.discovery > 0 ? `, ${spent.discovery} of them on new sites` : ''),
    ...(rows.length > 0 ? [textTable(header, rows)] : []),
    ...(parts.length > 0
      ? [`Read in part: ${parts.map((one) => `${one.site} (${partOf(one)})`).join(', ')}`]
      : []),
    ...(rows.length > 0
      ? [
          `Known how: ${sum((one) => one.proven)} pages proven by a visit, ${inferred} inferred` +
            `${inferred > 0 ? ` (about ${missed.toFixed(1)} of them changed all the same)` : ''}, ${sum(({ report }) => report.gone)} gone`,
        ]
      : []),
    ...(left.length > 0 ? [leftLine(left)] : []),
    ...(unwanted.length > 0 ? [unwantedLine(unwanted)] : []),
    ...(decidedOut.length > 0 ? [decidedLine(decidedOut)] : []),
    ...(state === 'stopped' ? ['The same command goes on.'] : []),
  ].join('\n')}\n`;
}
