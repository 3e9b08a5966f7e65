import { textOf } from '../../model/body.ts';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { Block } from '../../model/layout.ts';
import type { Millis } from '../../model/time.ts';
import { type StoredArchive, storedSide } from '../stored-layouts.ts';
import { sameButForVariant } from '../url-variants.ts';

/** The page one comes from, at the moment at which it is shown. */
export interface CameFrom {
  readonly url: string;
  readonly at: Millis;
}

export interface TeaserEvidence {
  readonly words: string;
  readonly likelihood: { readonly before: number; readonly after: number };
}

/** What a teaser whose words are all missing in a title is still worth: titles are shortened and rewritten. */
const LEAST = 0.1;
/** Words of a teaser that say something: "more", "video" name no version. */
const LEAST_WORDS = 3;

/** Which of two versions the link on the page one comes from speaks of: that whose title has its words. */
export async function teaserEvidence(
  archive: StoredArchive,
  from: CameFrom,
  { before, after }: { readonly before: CaptureFact; readonly after: CaptureFact },
): Promise<TeaserEvidence | undefined> {
  const side = await storedSide({ url: from.url, time: { kind: 'moment', at: from.at } }, archive).catch(
    () => undefined,
  );
  if (!side || typeof side === 'string') return undefined;
  const teasers = [...linkTexts(side.layout.root, after.url)];
  const words = wordsOf(teasers.join(' '));
  if (words.size < LEAST_WORDS) return undefined;
  const [early, late] = [await titleOf(archive, before), await titleOf(archive, after)];
  if (early === undefined || late === undefined || early === late) return undefined;
  const likelihood = { before: likeness(words, early), after: likeness(words, late) };
  if (likelihood.before === likelihood.after) return undefined;
  const which = likelihood.after > likelihood.before ? after : before;
  return {
    words: `${from.url} links to it as '${teasers[0]}', which is nearer to the title of ${new Date(which.at).toISOString()}`,
    likelihood,
  };
}

function* linkTexts(block: Block, url: string): Iterable<string> {
  for (const { address, name } of block.links) if (name !== '' && sameButForVariant(address, url)) yield name;
  for (const inner of block.blocks) yield* linkTexts(inner, url);
}

async function titleOf(
  { catalog, reader }: StoredArchive,
  { url, at }: CaptureFact,
): Promise<string | undefined> {
  const fact = await catalog.closest(pageInfoUri(url), at);
  if (fact?.at !== at) return undefined;
  try {
    return (JSON.parse(await textOf((await reader.read(fact)).payload)) as PageInfo).title;
  } catch {
    return undefined;
  }
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

function likeness(teaser: ReadonlySet<string>, title: string): number {
  const there = wordsOf(title);
  const shared = [...teaser].filter((word) => there.has(word)).length / teaser.size;
  return LEAST + (1 - LEAST) * shared;
}
