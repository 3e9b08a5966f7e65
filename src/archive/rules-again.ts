import { createRobotsReader } from '../capture/robots-reader.ts';
import { createScope } from '../capture/scope.ts';
import type { Crawl } from '../model/crawl.ts';
import type { Millis } from '../model/time.ts';
import { storedResponse } from '../ports/record-store.ts';
import type { LinkOrigin } from '../ports/scope.ts';
import { mayJoin } from './crawl/own-site.ts';
import type { TellingArchive } from './why.ts';
import type { Explanation } from './why-report.ts';

type LeftOut = Extract<Explanation, { kind: 'left-out' }>;

/** The rules of the crawl, run again by the same code; robots.txt as it was captured. */
export async function refusedBy(
  archive: TellingArchive,
  { spec, startedAt, finishedAt = startedAt }: Crawl,
  url: string,
  origin: LinkOrigin | undefined,
): Promise<LeftOut | undefined> {
  const scope = createScope(
    spec,
    (await archive.decisions()).held,
    mayJoin(spec, archive.catalog.siteBounds()),
  );
  const from = origin ?? { url: spec.seeds[0] ?? url, depth: 0, extraHops: 0 };
  const verdict = scope.judgeLink(url, from, finishedAt);
  if (!verdict.inside) {
    const { reason, detail } = verdict;
    return { kind: 'left-out', reason, detail, known: 'rules' };
  }
  if (!spec.politeness.robots) return undefined;
  const detail = await disallowed(archive, url, spec.politeness.userAgent, finishedAt);
  return detail === undefined ? undefined : { kind: 'left-out', reason: 'robots', detail, known: 'rules' };
}

async function disallowed(
  { catalog, reader }: TellingArchive,
  url: string,
  userAgent: string,
  at: Millis,
): Promise<string | undefined> {
  const found = await catalog.closest(`${new URL(url).origin}/robots.txt`, at);
  const original = found && (await catalog.originalOf(found));
  const response = original && storedResponse(await reader.read(original));
  if (!response) return undefined;
  const verdict = (await createRobotsReader(userAgent).read({ url: original.url, response })).allows(url);
  return verdict.allowed ? undefined : verdict.detail;
}
