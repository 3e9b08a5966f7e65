/**
 * An invented web with a nation in it whose borders are known. The borders are hard for the paper's reasons (French web
 * 2002, §2.4): the nation's sites use other suffixes and other languages, are on servers abroad, and link abroad;
 * others write its language. Shops are not wanted. All shares are ours; the paper gives none.
 */
import { BLANK_PERIMETER, type PerimeterDefinition } from '../../science/perimeter/definition.ts';
import type { PageFacts } from '../../science/perimeter/page-facts.ts';
import { type Random, stream } from '../newspaper/random.ts';
import type { GivenPage } from './judge-web.ts';

export interface NationalWeb {
  readonly pages: ReadonlyMap<string, GivenPage & { readonly truth: boolean }>;
  readonly links: ReadonlyMap<string, readonly string[]>;
  /** What links say about a page: its address, and for some the language of its text. */
  readonly suspectFacts: (url: string) => PageFacts;
  /** Home pages of a few well-known sites. */
  readonly seeds: readonly string[];
}

/** The perimeter, with weights that a librarian might guess. */
export const NATION: PerimeterDefinition = {
  ...BLANK_PERIMETER,
  name: 'the nation',
  prior: -1,
  languages: { fr: 1.5, other: -1 },
  domains: { fr: 3, ca: -3, be: -2, other: -0.5 },
  countries: { FR: 1, other: -0.5 },
  commercial: -3,
  connectivity: [1, 0.5],
};

type Shares = readonly (readonly [value: string, share: number])[];

const SUFFIXES: Readonly<Record<Origin, Shares>> = {
  nation: [
    ['fr', 0.5],
    ['com', 0.3],
    ['org', 0.15],
    ['net', 0.05],
  ],
  francophone: [
    ['ca', 0.35],
    ['be', 0.3],
    ['com', 0.25],
    ['org', 0.08],
    ['fr', 0.02],
  ],
  abroad: [
    ['com', 0.45],
    ['de', 0.2],
    ['org', 0.14],
    ['uk', 0.2],
    ['fr', 0.01],
  ],
};
const SERVERS: Readonly<Record<Origin, Shares>> = {
  nation: [
    ['FR', 0.65],
    ['US', 0.2],
    ['DE', 0.15],
  ],
  francophone: [
    ['CA', 0.4],
    ['BE', 0.3],
    ['US', 0.15],
    ['FR', 0.15],
  ],
  abroad: [
    ['US', 0.6],
    ['DE', 0.2],
    ['GB', 0.15],
    ['FR', 0.05],
  ],
};
/** Chance that a site is mainly in French; nine in ten of its pages keep to that language. */
const SITE_IN_FRENCH: Readonly<Record<Origin, number>> = { nation: 0.85, francophone: 0.75, abroad: 0.01 };
const ORIGINS: Shares = [
  ['nation', 0.3],
  ['francophone', 0.15],
  ['abroad', 0.55],
];
/** Of the links that leave a site, at least this share stays among sites of the same origin. */
const AT_HOME: Readonly<Record<Origin, number>> = { nation: 0.75, francophone: 0.65, abroad: 0.9 };
const SHOPS = 0.15;
const INTERNAL_LINKS = 0.6;
const LINKS_A_PAGE = 8;

type Origin = 'nation' | 'francophone' | 'abroad';

const SHOP_TEXT =
  'Lampe 12,99 € Ajouter au panier Vase 24,00 € en stock livraison gratuite Table 149,00 € commander';
const PLAIN_TEXT = 'Le bulletin de mars, le compte rendu de la réunion et les photos de la fête; entrée 3 €';

interface Site {
  readonly origin: Origin;
  readonly shop: boolean;
  readonly french: boolean;
  readonly country: string;
  readonly host: string;
  readonly pages: readonly string[];
}

export function nationalWeb(seed: number, siteCount: number): NationalWeb {
  const draw = stream(seed, 'national-web');
  const sites = Array.from({ length: siteCount }, (_, i) => drawSite(draw, i));
  const byOrigin = new Map<Origin, Site[]>();
  for (const site of sites) byOrigin.set(site.origin, [...(byOrigin.get(site.origin) ?? []), site]);
  const pages = new Map<string, GivenPage & { readonly truth: boolean }>();
  const links = new Map<string, readonly string[]>();
  const anchors = new Map<string, PageFacts>();
  for (const site of sites) {
    const address = (url: string) => ({ url, host: site.host, domain: site.host });
    for (const url of site.pages) {
      const french = draw.chance(0.9) ? site.french : !site.french;
      const language = { code: french ? 'fr' : 'en', chance: 0.97 };
      // Some pages have hardly any text.
      const told = draw.chance(0.93);
      // Half of a shop's pages sell nothing: its terms, its history.
      const text = site.shop && draw.chance(0.5) ? SHOP_TEXT : PLAIN_TEXT;
      const facts = { ...address(url), country: site.country, text, ...(told && { language }) };
      pages.set(url, { facts, truth: site.origin === 'nation' && !site.shop });
      anchors.set(url, {
        ...address(url),
        ...(draw.chance(0.6) && { language: { ...language, chance: 0.7 } }),
      });
      links.set(url, drawLinks(draw, site, sites, byOrigin.get(site.origin) as Site[]));
    }
  }
  const seeds = sites
    .filter(({ origin, shop }) => origin === 'nation' && !shop)
    .slice(0, 5)
    .map((site) => site.pages[0] as string);
  return { pages, links, seeds, suspectFacts: (url) => anchors.get(url) as PageFacts };
}

function drawSite(draw: Random, index: number): Site {
  const origin = oneOf(draw, ORIGINS) as Origin;
  const host = `s${index}.${oneOf(draw, SUFFIXES[origin])}`;
  // Pareto with exponent 1.2, capped at 60 pages per site.
  const size = Math.min(60, Math.floor(2 * (1 - draw.next()) ** (-1 / 1.2)));
  return {
    origin,
    shop: draw.chance(SHOPS),
    french: draw.chance(SITE_IN_FRENCH[origin]),
    country: oneOf(draw, SERVERS[origin]),
    host,
    pages: Array.from({ length: size }, (_, k) => `https://${host}/${k === 0 ? '' : k}`),
  };
}

function drawLinks(draw: Random, site: Site, all: readonly Site[], alike: readonly Site[]): string[] {
  return Array.from({ length: 1 + draw.poisson(LINKS_A_PAGE - 1) }, () => {
    if (draw.chance(INTERNAL_LINKS)) return draw.pick(site.pages);
    const target = draw.pick(draw.chance(AT_HOME[site.origin]) ? alike : all);
    // Home pages get the most links.
    return draw.chance(0.5) ? (target.pages[0] as string) : draw.pick(target.pages);
  });
}

function oneOf(draw: Random, shares: Shares): string {
  let rest = draw.next();
  for (const [value, share] of shares) {
    rest -= share;
    if (rest < 0) return value;
  }
  return shares[shares.length - 1]?.[0] as string;
}
