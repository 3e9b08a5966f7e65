import { z } from 'zod';
import { MIRROR, MIRROR_STANDINGS, type MirrorFact } from '../../model/mirror.ts';
import { openJournal, writeDown, writtenDown } from '../journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';

const plain = z.string().regex(/^\P{Cc}*$/u);
const directory = plain.startsWith('/').endsWith('/');

const MIRROR_FACT = z.object({
  mirror: plain,
  origin: plain,
  path: directory,
  exclusions: z.array(directory),
  pages: z.number(),
  agreeing: z.number(),
  behind: z.number(),
  since: z.number().optional(),
  standing: z.enum(MIRROR_STANDINGS),
  checkedAt: z.number(),
});

/** What the archive has recorded about mirrors; for each pair of sites, the latest. */
export async function keptMirrors(
  archive: Pick<OpenArchive, 'catalog' | 'reader'>,
): Promise<readonly MirrorFact[]> {
  const last = new Map<string, { readonly at: number; readonly fact: MirrorFact }>();
  for await (const told of writtenDown(archive, MIRROR, MIRROR_FACT)) {
    if (!('fact' in told)) continue;
    const { since, ...fact } = told.fact;
    const key = `${fact.mirror} ${fact.origin}`;
    const { at } = told.capture;
    if ((last.get(key)?.at ?? 0) <= at)
      last.set(key, { at, fact: { ...fact, ...(since !== undefined && { since }) } });
  }
  return [...last.values()].map(({ fact }) => fact);
}

export async function keepMirrors(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  facts: readonly MirrorFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const store = await openJournal(folder, 'mirror');
  try {
    for (const fact of facts) {
      const captures = await writeDown(store, `${MIRROR}${fact.mirror}`, fact);
      await catalog.index({ captures, pages: [], fileLengths: store.lengths() });
    }
  } finally {
    await store.close();
  }
}
