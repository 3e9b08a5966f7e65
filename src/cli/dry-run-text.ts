import type { DryRunReport, DryRunSeed } from '../archive/crawl/dry-run.ts';
import { blockRuleWords } from '../model/block-rule.ts';
import type { ScopeSpec } from '../model/crawl.ts';
import { SKIPS, type SkipReason } from '../model/fault.ts';
import { formatDuration, formatSize, plural } from './quantity-text.ts';

/** Seeds and origins shown to a person. */
const SHOWN = 20;

export function dryRunText(report: DryRunReport): string {
  const { seeds, origins, archive, sitemaps, requests } = report;
  return [
    'A dry run: nothing is crawled and nothing is written.',
    requests.length === 0
      ? 'Nothing was asked of the web.'
      : `Asked for: ${plural(requests.length, 'URL')}, robots.txt${report.asked === 'sitemaps' ? ' and sitemaps' : ''} alone.`,
    `Seeds: ${seeds.length}, in this order`,
    ...seeds.slice(0, SHOWN).map(seedText),
    ...rest(seeds.length, 'seed'),
    ...settingsText(report),
    ...origins.slice(0, SHOWN).map(originText),
    ...rest(origins.length, 'origin'),
    ...sitemapsText(sitemaps),
    archive.resumes
      ? `Would go on with crawl ${archive.resumes.crawl}, begun ${new Date(archive.resumes.startedAt).toISOString()}: ${plural(archive.resumes.waiting, 'URL')} waiting.`
      : 'Would begin a new crawl.',
    `Known from the last capture of these hosts: ${plural(archive.knownPages, 'page')}.`,
    'Links are found while pages are read: what they lead to is not known before.',
  ].join('\n');
}

const rest = (count: number, what: string): string[] =>
  count > SHOWN ? [`  and ${plural(count - SHOWN, `more ${what}`)}; --json lists all`] : [];

function seedText({ url, scope, render, pages, robots }: DryRunSeed): string {
  const own = pages === undefined ? '' : `, at most ${plural(pages, 'page')}`;
  const allowed = robots && !robots.allowed ? `\n      robots.txt forbids it: ${robots.detail ?? ''}` : '';
  return `  ${url}\n      ${scopeText(scope)}, render ${render}${own}${allowed}`;
}

function scopeText({ type, depth, extraHops, include, exclude }: ScopeSpec): string {
  return [
    `scope ${type}`,
    ...(depth === Number.POSITIVE_INFINITY ? [] : [`depth ${depth}`]),
    ...(extraHops > 0 ? [`${extraHops} extra hops`] : []),
    ...(include.length > 0 ? [`include ${include.join(' ')}`] : []),
    ...(exclude.length > 0 ? [`exclude ${exclude.join(' ')}`] : []),
  ].join(', ');
}

function settingsText({ order, spec }: DryRunReport): string[] {
  const { limits, politeness, selectLinks, blockRules = [], blockAds, sitemapDates } = spec;
  const limited = [
    limits.pages === Number.POSITIVE_INFINITY ? '' : plural(limits.pages, 'page'),
    limits.time === Number.POSITIVE_INFINITY ? '' : formatDuration(limits.time),
    limits.size === Number.POSITIVE_INFINITY ? '' : formatSize(limits.size),
  ].filter((words) => words !== '');
  const day = (at: number): string => new Date(at).toISOString();
  return [
    `Order: ${order}`,
    `Limits: ${limited.join(', ') || 'none'}`,
    `Politeness: ${formatDuration(politeness.delay)} between two requests to a host, ${politeness.robots ? 'robots.txt is obeyed' : 'robots.txt is not obeyed'}`,
    ...(selectLinks ? [`Links: ${selectLinks.join(', ')}`] : []),
    ...(sitemapDates
      ? [
          `Dates of sitemaps: ${sitemapDates.from === undefined ? '' : `from ${day(sitemapDates.from)} `}${sitemapDates.to === undefined ? '' : `to ${day(sitemapDates.to)}`}`.trimEnd(),
        ]
      : []),
    ...blockRules.map((rule) => `Block rule: ${blockRuleWords(rule)}`),
    ...(blockAds ? ['Advertisements are not loaded.'] : []),
  ];
}

function originText({ origin, fault, crawlDelay, sitemaps }: DryRunReport['origins'][number]): string {
  if (fault) return `${origin}/robots.txt: ${fault.kind}, so that everything is disallowed: ${fault.detail}`;
  const delay = crawlDelay === undefined ? '' : `, Crawl-delay ${formatDuration(crawlDelay)}`;
  return `${origin}/robots.txt: names ${plural(sitemaps.length, 'sitemap')}${delay}`;
}

function sitemapsText(sitemaps: DryRunReport['sitemaps']): string[] {
  if (!sitemaps) return [];
  const { read, pages, first, skips, faults } = sitemaps;
  return [
    `Sitemaps: ${read} read, ${plural(pages, 'page')} in scope`,
    ...first.map((url) => `  ${url}`),
    ...(pages > first.length ? [`  and ${plural(pages - first.length, 'more page')}`] : []),
    ...(Object.entries(skips) as [SkipReason, number][]).map(
      ([reason, count]) => `  ${count} left out, ${reason}: ${SKIPS[reason]}`,
    ),
    ...faults.map((fault) => `  ! ${fault}`),
  ];
}
