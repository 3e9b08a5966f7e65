import type { Alert, AlertRule } from '../../model/alert.ts';
import { textOf } from '../../model/body.ts';
import { certificateUri } from '../../model/certificate.ts';
import type { Crawl } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import { type JudgedCapture, judgeCapture } from '../../science/alerts/judge-visit.ts';
import { looksAtSite } from '../../science/alerts/rule-scope.ts';
import { readCertificate } from '../../science/sharpness/read-certificate.ts';
import { alertKey, LAST_VERSIONS } from '../../stages/judge-alerts.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { alertId } from './alert-id.ts';

type ReadArchive = Pick<OpenArchive, 'catalog' | 'reader'>;

/** Whether a rule concerns captures of whole sites at all. */
export const asksOfCaptures = ({ when }: AlertRule): boolean =>
  when.shrunk !== undefined || when.certificate !== undefined;

/** A crawl of a whole site that ran to its end. Rounds of a watch, which have no seeds, do not count. */
const isCapture = ({ state, spec, finishedAt }: Crawl): boolean =>
  state === 'finished' && spec.seeds.length > 0 && finishedAt !== undefined;

/** What rules tell of captures that ended since then, oldest first. Deterministic, so it may be asked again. */
export async function captureAlerts(
  rules: readonly AlertRule[],
  archive: ReadArchive,
  { since, until = Number.POSITIVE_INFINITY }: { readonly since: Millis; readonly until?: Millis },
  madeAt: (to: Millis) => Millis = (to) => to,
): Promise<Alert[]> {
  const asking = rules.filter(asksOfCaptures);
  if (asking.length === 0) return [];
  const captures = (await archive.catalog.crawls()).filter(isCapture);
  const told: Alert[] = [];
  for (const [index, crawl] of captures.entries()) {
    const { key, spec, startedAt: from, finishedAt: to = 0 } = crawl;
    const [url = ''] = spec.seeds;
    const mine = asking.filter(({ where }) => looksAtSite(where, url));
    if (to < since || to > until || mine.length === 0) continue;
    const before = captures.slice(0, index).filter((one) => one.key === key);
    const judged = await judgedCapture(crawl, before.slice(-LAST_VERSIONS).reverse(), archive);
    for (const rule of mine)
      for (const found of judgeCapture(rule, judged)) {
        const alert = { rule: rule.name, url, from, to, madeAt: madeAt(to), operations: [], ...found };
        told.push({ ...alert, id: alertId(alertKey(alert)) });
      }
  }
  return told;
}

async function judgedCapture(
  crawl: Crawl,
  before: readonly Crawl[],
  archive: ReadArchive,
): Promise<JudgedCapture> {
  const pagesOf = async ({ id }: Crawl): Promise<number> => {
    const { captured, unchanged, dropped = 0 } = await archive.catalog.tally(id);
    return captured + unchanged + dropped;
  };
  const past: number[] = [];
  for (const one of before) past.push(await pagesOf(one));
  const sharp = await certifiedSharp(crawl, archive);
  return { pages: await pagesOf(crawl), past, ...(sharp && { sharp }) };
}

/**
 * Sharpness to readers, as the certificate states it; undefined where there is no certificate, or none that
 * can be read.
 */
async function certifiedSharp(
  { key, startedAt, finishedAt = startedAt }: Crawl,
  { catalog, reader }: ReadArchive,
): Promise<JudgedCapture['sharp']> {
  const fact = await catalog.closest(certificateUri(key), finishedAt);
  if (!fact || fact.at < startedAt || fact.at > finishedAt) return undefined;
  try {
    const { statement } = readCertificate(await textOf((await reader.read(fact)).payload));
    return { pages: statement.sharp.pages, sharp: statement.sharp.visible };
  } catch {
    // `verify` reports it.
    return undefined;
  }
}
