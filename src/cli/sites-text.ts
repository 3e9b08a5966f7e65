import type { ListedSite, SiteList } from '../archive/sites/list-sites.ts';
import type { SiteSuggestion } from '../archive/sites/suggest-sites.ts';
import { textTable } from '../lab/experiment/text-table.ts';
import type { SiteRule } from '../model/site-bounds.ts';
import { SITE_MEASURES } from '../science/importance/site-values.ts';
import { figure } from '../science/policy/sites/site-priority.ts';

const DAY = 86_400;

/** For an archive without pages: the sites that imported histories mention. */
export const toldSites = (sites: readonly string[]): string =>
  sites.length === 0
    ? ''
    : `; imported histories tell of ${sites.length === 1 ? 'one site' : `${sites.length} sites`}, to be gone by when it is crawled: ` +
      `${sites.slice(0, 10).join(', ')}${sites.length > 10 ? ', …' : ''}`;

export function siteListText(shown: SiteList, all: SiteList, told: readonly string[] = []): string {
  const { archived, fresh, rankCorrelation } = shown;
  if (all.archived.length === 0) return `The archive holds no page yet${toldSites(told)}.\n`;
  const blocks = [
    textTable(
      ['ρ', 'site', 'pages', 'importance', 'changes/page/day', 'last crawl', ''],
      archived.map((site) => [
        figure(site.priority),
        site.site,
        site.pages,
        figure(site.importance),
        figure(site.changeRate * DAY),
        site.lastRead === null ? undefined : minute(site.lastRead),
        [site.mirror ?? [], site.failures > 0 ? `brought nothing ${site.failures} times` : []]
          .flat()
          .join('; '),
      ]),
    ) + more(archived, all.archived),
  ];
  if (fresh.length > 0)
    blocks.push(
      `Known by links alone:\n${textTable(
        ['ρ', 'site', 'known URLs', 'estimated pages', 'importance', ''],
        fresh.map((site) => [
          figure(site.priority),
          site.site,
          site.known,
          site.estimated && `${site.estimated.pages} (${site.estimated.low}-${site.estimated.high})`,
          figure(site.importance),
          site.failures > 0 ? `tried in vain ${site.failures} times` : '',
        ]),
      )}${more(fresh, all.fresh)}`,
    );
  if (rankCorrelation !== undefined) blocks.push(measuresText(archived, rankCorrelation));
  return `${blocks.join('\n\n')}\n`;
}

const more = (shown: readonly unknown[], all: readonly unknown[]): string =>
  all.length > shown.length ? `\nand ${all.length - shown.length} more: --limit shows them` : '';

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`;

function measuresText(
  sites: readonly ListedSite[],
  like: NonNullable<SiteList['rankCorrelation']> | null,
): string {
  const rows = sites.map(({ site, measures }) => [
    site,
    ...SITE_MEASURES.map((measure) => measures?.[measure].toFixed(5)),
  ]);
  const words = like
    ? Object.entries(like)
        .map(([name, value]) => `${name} ${value.toFixed(3)}`)
        .join(', ')
    : 'undefined, with fewer than two sites';
  return `Importance by each measure:\n${textTable(['site', ...SITE_MEASURES], rows)}
Rank correlation with the theorem: ${words}`;
}

/** In the form of a configuration file. */
export function rulesLines(rules: readonly SiteRule[]): string {
  if (rules.length === 0) return '# every host is a site\nsites: []\n';
  return `sites:\n${rules.map((rule) => `  - ${ruleText(rule)}\n`).join('')}`;
}

/** YAML takes `*` and `~` literally inside a word; quotes keep ports and brackets literal too. */
const ruleText = (rule: SiteRule): string =>
  rule.length === 1 ? `'${rule[0]}'` : `[${rule.map((part) => `'${part}'`).join(', ')}]`;

/** Lines to paste, each below its evidence; nobody has decided yet. */
export function suggestionText(suggestions: readonly SiteSuggestion[]): string {
  if (suggestions.length === 0) return '# nothing speaks for other sites than hosts\nsites: []\n';
  const blocks = suggestions.map(
    ({ rule, evidence }) => `${evidence.map((line) => `  # ${line}\n`).join('')}  - ${ruleText(rule)}\n`,
  );
  return `# Suggestions: keep what is right, then 'daguerre sites rules --config <file>'\nsites:\n${blocks.join('')}`;
}
