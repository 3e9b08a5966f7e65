import { z } from 'zod';
import { textOf } from '../../model/body.ts';
import { DROPPED } from '../../model/derived-uris.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import type { OpenArchive } from '../open/open-archive.ts';

const FACT = z.object({ at: z.number(), visits: z.number(), bytes: z.number() });

/** One note on what `thin` removed, which is not a loss. Unreadable records are reported elsewhere. */
export async function droppedVisits({
  catalog,
  reader,
}: Pick<OpenArchive, 'catalog' | 'reader'>): Promise<readonly ProblemPlace[]> {
  let first: ProblemPlace | undefined;
  let [visits, bytes, last] = [0, 0, 0];
  for await (const fact of catalog.captures({ urlPrefix: DROPPED })) {
    const { file, offset } = fact;
    const read = await reader
      .read(fact)
      .then(async ({ payload }) => FACT.safeParse(JSON.parse(await textOf(payload))))
      .catch(() => undefined);
    if (!read?.success) continue;
    visits += read.data.visits;
    bytes += read.data.bytes;
    last = Math.max(last, read.data.at);
    first ??= { file, offset, reason: '' };
  }
  if (!first) return [];
  const day = new Date(last).toISOString().slice(0, 10);
  const reason = `what ${visits} visits brought was dropped to save ${bytes} bytes, the last of it on ${day} (daguerre thin); when, what and how important stays as a fact`;
  return [{ ...first, reason }];
}
