import { textOf } from '../model/body.ts';
import type { CaptureFact } from '../model/capture.ts';
import { checkUri } from '../model/derived-uris.ts';
import { type PageCheck, readPageCheck } from '../model/page-check.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import type { RecordReader } from '../ports/record-store.ts';

export interface CheckPorts {
  readonly catalog: Pick<CaptureCatalog, 'captures'>;
  readonly reader: Pick<RecordReader, 'read'>;
}

export interface CheckSummary {
  readonly checked: number;
  readonly whole: number;
  readonly damaged: number;
  readonly unseen: number;
  /** Mean over those that were compared. */
  readonly score?: number;
}

/** The newest verdict that is wanted of each page below these addresses; a damaged record is passed over, as `verify` tells of it. */
export async function storedChecks(
  prefixes: readonly string[],
  isWanted: (check: PageCheck) => boolean,
  parts: CheckPorts,
): Promise<readonly PageCheck[]> {
  const pages = new Map<string, CaptureFact[]>();
  for (const prefix of prefixes)
    for await (const fact of parts.catalog.captures({ urlPrefix: checkUri(prefix) })) {
      const made = pages.get(fact.url) ?? [];
      pages.set(fact.url, made);
      made.push(fact);
    }
  const checks: PageCheck[] = [];
  for (const made of pages.values())
    for (const fact of made.sort(newestFirst)) {
      const check = await readCheck(fact, parts);
      if (!check || !isWanted(check)) continue;
      checks.push(check);
      break;
    }
  return checks;
}

/** The newest verdict on each capture of a page, the newest first. */
export async function checksOf(url: string, parts: CheckPorts): Promise<readonly PageCheck[]> {
  const made: CaptureFact[] = [];
  for await (const fact of parts.catalog.captures({ url: checkUri(url) })) made.push(fact);
  const byCapture = new Map<Millis, PageCheck>();
  for (const fact of made.sort(newestFirst)) {
    const check = await readCheck(fact, parts);
    if (check?.url === url && !byCapture.has(check.at)) byCapture.set(check.at, check);
  }
  return [...byCapture.values()];
}

const newestFirst = (a: CaptureFact, b: CaptureFact): number => b.at - a.at;

const readCheck = (fact: CaptureFact, { reader }: CheckPorts): Promise<PageCheck | undefined> =>
  reader.read(fact).then(
    async ({ payload }) => readPageCheck(parsed(await textOf(payload))),
    () => undefined,
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function summaryOf(checks: readonly PageCheck[]): CheckSummary {
  const count = (verdict: PageCheck['verdict']): number =>
    checks.filter((check) => check.verdict === verdict).length;
  const scores = checks.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const sum = scores.reduce((all, one) => all + one, 0);
  return {
    ...{ checked: checks.length, whole: count('whole'), damaged: count('damaged'), unseen: count('unseen') },
    ...(scores.length > 0 && { score: Math.round((sum / scores.length) * 1e4) / 1e4 }),
  };
}

/** `100 pages checked: 99 whole, 1 damaged; mean score 0.991`. */
export function summaryText({ checked, whole, damaged, unseen, score }: CheckSummary): string {
  const failed = unseen > 0 ? `, ${unseen} that could not be compared` : '';
  const mean = score === undefined ? '' : `; mean score ${score.toFixed(3)}`;
  return `${checked === 1 ? '1 page' : `${checked} pages`} checked: ${whole} whole, ${damaged} damaged${failed}${mean}`;
}
