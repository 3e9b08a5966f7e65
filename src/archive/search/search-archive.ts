import { existsSync } from 'node:fs';
import { siteNamed } from '../../access/site-name.ts';
import { openLanguageIdentifier } from '../../capture/language/cld3-identifier.ts';
import { STEMMERS } from '../../capture/words/stemmers.ts';
import { openSearchIndex } from '../../catalog/search/open-search.ts';
import type { PassageKind } from '../../model/passage.ts';
import type { Millis } from '../../model/time.ts';
import type { FoundPassage, SearchEvent, SearchIndex, WordRow } from '../../ports/search-index.ts';
import {
  marksIn,
  parseSearch,
  SearchSyntaxError,
  type SearchTerm,
  type SearchTerms,
} from '../../science/search/search-query.ts';
import { type Stem, unstemmed } from '../../science/search/tokens.ts';
import {
  type IndexedPassages,
  type IndexWork,
  indexPassages,
  type UnsearchedPages,
  unsearchedPages,
} from '../../stages/index-passages.ts';
import type { ArchiveLocation, OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';

export type SearchedArchive = Pick<OpenArchive, 'folder' | 'catalog' | 'reader' | 'identity'>;

export interface SearchWish {
  /** `words "a phrase" -not begin*`. */
  readonly text: string;
  readonly site?: string | undefined;
  readonly url?: string | undefined;
  readonly kinds?: readonly PassageKind[] | undefined;
  readonly event?: SearchEvent | undefined;
  readonly from?: Millis | undefined;
  readonly to?: Millis | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface SearchHit extends FoundPassage {
  /** Where in the text the words are. */
  readonly marks: readonly (readonly [number, number])[];
}

export interface ArchiveSearch {
  /** Whether the archive has captures that the index has not seen. */
  isBehind(): Promise<boolean>;
  /** Brings the index in line with the archive. Works while another process writes to the archive. */
  update(work?: IndexWork): Promise<IndexedPassages>;
  unsearched(): Promise<UnsearchedPages>;
  /** Best first. */
  find(wish: SearchWish): Promise<readonly SearchHit[]>;
  counts: SearchIndex['counts'];
  close(): Promise<void>;
}

/** Stems of every language are tried, since a query does not say which one is meant. */
const STEMS: readonly Stem[] = Object.values(STEMMERS);

export async function openSearch(
  { folder, catalog, reader, identity }: SearchedArchive,
  { database }: Pick<ArchiveLocation, 'database'>,
): Promise<ArchiveSearch> {
  const where = { location: database ?? folder.search, archiveId: identity?.id };
  const index = await openSearchIndex({ ...where, readonly: false }).catch((error: unknown) => {
    // On a disk that cannot be written to, an existing index can still be searched.
    if (database === undefined && !existsSync(folder.search))
      throw new UserError(
        `the search index ${folder.search} cannot be made: ${error instanceof Error ? error.message : String(error)}`,
      );
    return openSearchIndex({ ...where, readonly: true });
  });
  return {
    isBehind: async () => (await catalog.captureMark()) !== (await index.mark()),
    async update(work) {
      const identifier = await openLanguageIdentifier();
      const stemFor = (text: string): Stem => STEMMERS[identifier.identify(text)?.code ?? ''] ?? unstemmed;
      return indexPassages({ catalog, reader, index, stemFor }, work);
    },
    unsearched: () => unsearchedPages({ catalog }),
    async find({ text, site, url, kinds, event = 'present', from, to, limit, offset = 0 }) {
      const terms = understood(text);
      const rows = await index.find({
        wanted: terms.wanted.map(rowsOf),
        unwanted: terms.unwanted.flatMap(rowsOf),
        event,
        limit,
        offset,
        ...(site !== undefined && { site: siteNamed(site, catalog.siteBounds()) }),
        ...(url !== undefined && { url }),
        ...(kinds !== undefined && { kinds }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      });
      return rows.map((row) => ({ ...row, marks: marksIn(row.text, terms, STEMS) }));
    },
    counts: () => index.counts(),
    close: () => index.close(),
  };
}

const SEARCH_HINT = 'all words must stand there: harbour "town hall" -ferry sail*';

function understood(text: string): SearchTerms {
  try {
    return parseSearch(text, STEMS);
  } catch (error) {
    throw error instanceof SearchSyntaxError ? new UserError(error.message, 'usage', SEARCH_HINT) : error;
  }
}

const rowsOf = ({ ways, isPrefix }: SearchTerm): WordRow[] =>
  ways.map((words) => ({ words, ...(isPrefix && { isPrefix }) }));
