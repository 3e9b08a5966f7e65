import type { PassageQuery, WordRow } from '../../ports/search-index.ts';

/** What narrows a search beside its words, as words of their own. */
export interface Facets {
  readonly page?: number | undefined;
  readonly site?: number | undefined;
  readonly kinds?: readonly string[] | undefined;
}

/** For FTS5: all words are letters and digits, so that quotation marks are enough. */
export function matchForSqlite({ wanted, unwanted }: PassageQuery, facets: Facets): string {
  const row = ({ words, isPrefix }: WordRow): string => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
  const anyOf = (rows: readonly WordRow[]): string => `words : (${rows.map(row).join(' OR ')})`;
  const all = [
    ...wanted.map(anyOf),
    ...facetGroups(facets).map((group) => `facets : (${group.join(' OR ')})`),
  ];
  const found = `(${all.join(') AND (')})`;
  return unwanted.length === 0 ? found : `(${found}) NOT (${anyOf(unwanted)})`;
}

/** For PostgreSQL: facets begin with a capital letter, which no word has. */
export function matchForPostgres({ wanted, unwanted }: PassageQuery, facets: Facets): string {
  const row = ({ words, isPrefix }: WordRow): string =>
    `(${words.map((word, i) => `'${word}'${isPrefix && i === words.length - 1 ? ':*' : ''}`).join(' <-> ')})`;
  const anyOf = (rows: readonly WordRow[]): string => `(${rows.map(row).join(' | ')})`;
  const all = [
    ...wanted.map(anyOf),
    ...facetGroups(facets).map((group) => `(${group.map((facet) => `'${capital(facet)}'`).join(' | ')})`),
    ...(unwanted.length > 0 ? [`!${anyOf(unwanted)}`] : []),
  ];
  return all.join(' & ');
}

function facetGroups({ page, site, kinds }: Facets): string[][] {
  return [
    ...(page === undefined ? [] : [[pageFacet(page)]]),
    ...(site === undefined ? [] : [[siteFacet(site)]]),
    ...(kinds === undefined ? [] : [kinds.map(kindFacet)]),
  ];
}

const pageFacet = (page: number): string => `p${page}`;
const siteFacet = (site: number): string => `s${site}`;
const kindFacet = (kind: string): string => `k${kind}`;
const capital = (facet: string): string => facet[0]?.toUpperCase() + facet.slice(1);

export const facetsOf = (page: number, site: number, kind: string): readonly string[] => [
  pageFacet(page),
  siteFacet(site),
  kindFacet(kind),
];

/** PostgreSQL keeps no position past this one. */
const LAST_POSITION = 16_383;

/** A tsvector as it is written: each word with where it stands. */
export function vectorOf(words: readonly string[], facets: readonly string[]): string {
  const places = new Map<string, number[]>();
  words.forEach((word, i) => {
    const known = places.get(word) ?? [];
    known.push(Math.min(i + 1, LAST_POSITION));
    places.set(word, known);
  });
  return [
    ...[...places].map(([word, at]) => `'${word}':${at.join(',')}`),
    ...facets.map((facet) => `'${capital(facet)}'`),
  ].join(' ');
}
