import { plainText } from '../../capture/html/plain-text.ts';
import { openLanguageIdentifier } from '../../capture/language/cld3-identifier.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { openWordReaders } from '../../capture/words/word-readers.ts';
import { type CountedPages, countPages } from '../../stages/count-words.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** Counts the words of pages archived since the last count. */
export async function countArchive(
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
  dictionaries: ReadonlyMap<string, string>,
  onProgress: (pages: number) => void,
): Promise<CountedPages & { readonly languages: readonly string[] }> {
  const wordReaders = openWordReaders(dictionaries);
  const identifier = await openLanguageIdentifier();
  const pageReader = createPageReader();
  const counted = await countPages(
    { catalog, reader, pageReader, plainText, identifier, wordReaders },
    onProgress,
  );
  return { ...counted, languages: wordReaders.languages };
}
