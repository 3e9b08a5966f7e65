import { mirrorWords } from '../access/mirror-words.ts';
import { actWords, type Decision } from '../model/decision.ts';
import { targetKind } from '../model/decision-target.ts';
import type { Decisions } from '../model/decisions.ts';
import type { DecisionRow, PageRow, SiteRow } from './api-types.ts';
import type { ServedArchive } from './served-archive.ts';

/** Sites with what is believed and decided of them, beside what was captured; those without pages come last. */
export async function siteRows({
  catalog,
  told,
  virtualPages,
}: Pick<ServedArchive, 'told' | 'virtualPages'> & {
  readonly catalog: Pick<ServedArchive['catalog'], 'sites'>;
}): Promise<readonly SiteRow[]> {
  const [sites, mirrors, decisions, virtual] = await Promise.all([
    catalog.sites(),
    told.mirrors(),
    told.decisions(),
    virtualPages(),
  ]);
  return [...sites]
    .sort((a, b) => Number(b.pages > 0) - Number(a.pages > 0))
    .map((row) => {
      const mirror = mirrorWords(row.site, mirrors);
      const left = virtual.get(row.site)?.length ?? 0;
      return {
        ...row,
        ...(mirror !== undefined && { mirror }),
        ...(left > 0 && { virtual: left }),
        ...rowsOf(decisionsOn(`http://${row.site}/`, decisions).filter(isOfSite)),
      };
    });
}

/** One after the other: a part of the list has at most a thousand sites, each asks an index. */
export async function withFront(
  rows: readonly SiteRow[],
  catalog: Pick<ServedArchive['catalog'], 'pages'>,
): Promise<readonly SiteRow[]> {
  const all: SiteRow[] = [];
  for (const row of rows) {
    const [front] = await catalog.pages({ site: row.site, limit: 1 });
    all.push(front ? { ...row, front: { url: front.url, lastAt: front.lastAt } } : row);
  }
  return all;
}

/** Those of its site stand at the site. */
export const decisionsOnPage = (url: string, decisions: Decisions): Pick<PageRow, 'decisions'> =>
  rowsOf(decisionsOn(url, decisions).filter((one) => !isOfSite(one)));

const decisionsOn = (url: string, decisions: Decisions): readonly Decision[] =>
  decisions.on(url, Date.now()).all;

const isOfSite = ({ target }: Decision): boolean => targetKind(target) === 'site';

const rowsOf = (decisions: readonly Decision[]): { readonly decisions?: readonly DecisionRow[] } =>
  decisions.length === 0
    ? {}
    : { decisions: decisions.map(({ act, by, why, target }) => ({ act: actWords(act), by, why, target })) };
