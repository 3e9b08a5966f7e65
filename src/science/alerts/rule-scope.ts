import type { AlertWhere } from '../../model/alert.ts';
import { bareUrl, hostsOver, patternTest, targetKind } from '../../model/decision-target.ts';

/** Whether a rule covers a page; its region is checked elsewhere. */
export function looksAt({ site, pages }: AlertWhere, url: string): boolean {
  const bare = bareUrl(url);
  return (
    (site === undefined || isOfSite(site, bare)) &&
    (pages === undefined || pages.some((target) => isTarget(target, bare)))
  );
}

/** Whether a rule covers a site capture: its pages do not matter, its site does. */
export const looksAtSite = ({ site }: AlertWhere, url: string): boolean =>
  site === undefined || isOfSite(site, bareUrl(url));

function isOfSite(site: string, bare: string): boolean {
  const named = bareUrl(site);
  const [host = ''] = named.split('/', 1);
  if (![...hostsOver(bare)].includes(host.toLowerCase())) return false;
  const directory = named.slice(host.length).replace(/\/+$/, '');
  if (directory === '') return true;
  const path = bare.replace(/^[^/?#]*/, '');
  return path === directory || path.startsWith(`${directory}/`);
}

/** A path applies to any host: `/`, `/news/*`. */
function isTarget(target: string, bare: string): boolean {
  if (target.startsWith('/')) {
    const path = bare.replace(/^[^/?#]*/, '') || '/';
    const rest = target.endsWith('*') ? target.slice(0, -1) : undefined;
    return rest === undefined ? path === target : path.startsWith(rest);
  }
  const kind = targetKind(bareUrl(target));
  if (kind === 'site') return isOfSite(target, bare);
  return kind === 'page' ? bareUrl(target) === bare : patternTest(target)(bare);
}
