/** What the paper consists of: its sections, sizes and writers. */
import { type Random, stream } from './random.ts';
import { FIRST_NAMES, LAST_NAMES } from './words.ts';

export const PAPER = 'The Saltmarsh Courier';
export const TOWN = 'Saltmarsh';

export const SECTION_IDS = ['politics', 'economy', 'sport', 'culture', 'science', 'local'] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  readonly blurb: string;
  /** In degrees; illustrations and headings of the section use it. */
  readonly hue: number;
}

export const SECTIONS: Readonly<Record<SectionId, Section>> = {
  politics: {
    id: 'politics',
    title: 'Politics',
    blurb: 'From the council chamber and the assembly.',
    hue: 4,
  },
  economy: { id: 'economy', title: 'Economy', blurb: 'Work, trade and the harbour exchange.', hue: 205 },
  sport: { id: 'sport', title: 'Sport', blurb: 'Results, reports and the long run home.', hue: 135 },
  culture: { id: 'culture', title: 'Culture', blurb: 'Stage, page, screen and song.', hue: 285 },
  science: { id: 'science', title: 'Science', blurb: 'From the observatory to the tide pools.', hue: 185 },
  local: { id: 'local', title: 'Local', blurb: 'Streets, schools and neighbours.', hue: 32 },
};

export const isSection = (id: string): id is SectionId => Object.hasOwn(SECTIONS, id);

export const SIZE_NAMES = ['small', 'medium', 'large'] as const;
export type SizeName = (typeof SIZE_NAMES)[number];

export interface Size {
  /** Factor on the rates in `rhythms.ts`: articles, updates of fronts, comments. */
  readonly scale: number;
  /** Days of history before the start. */
  readonly historyDays: number;
  readonly authorsPerSection: number;
}

/** Pages at the start: about 60, 300 and 2,000; each further day adds its articles (4, 16, 51). */
export const SIZES: Readonly<Record<SizeName, Size>> = {
  small: { scale: 0.25, historyDays: 5, authorsPerSection: 1 },
  medium: { scale: 1, historyDays: 17, authorsPerSection: 3 },
  large: { scale: 3.2, historyDays: 38, authorsPerSection: 6 },
};

export interface Author {
  readonly slug: string;
  readonly name: string;
  readonly section: SectionId;
}

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export const personName = (random: Random): string =>
  `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;

/** The writers; no two share a name. */
export function hireAuthors(seed: number, perSection: number): readonly Author[] {
  const random = stream(seed, 'authors');
  const lasts = random.sample(LAST_NAMES, SECTION_IDS.length * perSection);
  return lasts.map((last, i) => {
    const name = `${random.pick(FIRST_NAMES)} ${last}`;
    return { slug: slugOf(name), name, section: SECTION_IDS[i % SECTION_IDS.length] as SectionId };
  });
}
