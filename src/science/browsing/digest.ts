/**
 * Many versions of an index page merged into one: the links that came into its important blocks over a span of time, each
 * once, by section, with when it was first and last seen. Navigation, footer and advertisements are left out.
 *
 * Sections follow from the addresses: sites sort their articles by the first part of the path (`/politics/…`), and a page
 * shows the same article in several places. An article on another host is listed under that host.
 */
import type { Layout } from '../../model/layout.ts';
import type { Millis } from '../../model/time.ts';
import { type Headline, headlinesOf } from '../layout/headlines.ts';
import { quotedLink } from '../layout/quoted-link.ts';
import { wordingsOf } from './headline.ts';

export interface DigestItem {
  /** Its wording when it was first seen. */
  readonly headline: string;
  /** What stood below it in the same link; absent where nothing did. */
  readonly teaser?: string;
  /** Later headlines of the same link; those that differ in counters, times, order, or a label before them alone are not told. */
  readonly retitled: readonly string[];
  readonly address: string;
  /** Times of the first and the last version that shows it. */
  readonly firstSeen: Millis;
  readonly lastSeen: Millis;
  /** Number of versions that show it. */
  readonly versions: number;
  /** Greatest importance of a block that contained it. */
  readonly weight: number;
  /** It was the lead story of some version. */
  readonly wasLead: boolean;
  /** The last version of the span shows it. */
  readonly isThere: boolean;
}

export interface DigestSection {
  /** First part of the path, or the host of another site; '' for the rest. */
  readonly name: string;
  /** Lead stories first, then in order of appearance. */
  readonly items: readonly DigestItem[];
}

/** A single article does not make a section. */
const LEAST_IN_SECTION = 2;

interface Seen {
  item: { -readonly [K in keyof DigestItem]: DigestItem[K] } & { retitled: string[] };
  /** Telling words of each wording, with and without its labels. */
  readonly wordings: Set<string>;
  lastVersion: number;
}

export class DigestBuilder {
  readonly #page: string;
  readonly #known = new Set<string>();
  readonly #seen = new Map<string, Seen>();
  #versions = 0;

  /** @param page URL of the index page */
  constructor(page: string) {
    this.#page = page;
  }

  /** Takes in the version before the span: what it shows is not new. */
  base(layout: Layout): void {
    for (const { key } of linkedFrom(layout, this.#page)) this.#known.add(key);
  }

  /** Called with versions in time order. */
  add(layout: Layout, at: Millis): void {
    const version = ++this.#versions;
    for (const { key, link, name, leaf, isLead } of linkedFrom(layout, this.#page)) {
      if (this.#known.has(key)) continue;
      const known = this.#seen.get(key);
      const { headline, teaser } = quotedLink(name, link.address);
      const wordings = wordingsOf(headline);
      if (!known) {
        const item = {
          headline,
          ...(teaser !== '' && { teaser }),
          retitled: [],
          address: link.address,
          firstSeen: at,
          lastSeen: at,
          versions: 1,
          weight: leaf.importance,
          wasLead: isLead,
          isThere: true,
        };
        this.#seen.set(key, { item, wordings: new Set(wordings), lastVersion: version });
        continue;
      }
      const { item } = known;
      item.lastSeen = at;
      if (known.lastVersion < version) item.versions++;
      known.lastVersion = version;
      item.weight = Math.max(item.weight, leaf.importance);
      item.wasLead ||= isLead;
      const isKnown = [...wordings].some((wording) => known.wordings.has(wording));
      for (const wording of wordings) known.wordings.add(wording);
      if (isKnown) continue;
      // A page may show an article twice, in other words: those of its first version are no later ones.
      if (item.versions > 1) item.retitled.push(headline);
    }
  }

  get versions(): number {
    return this.#versions;
  }

  /** The fullest section first; items of no section come last. */
  sections(): readonly DigestSection[] {
    const items = [...this.#seen.values()].map(({ item, lastVersion }) => ({
      ...item,
      isThere: lastVersion === this.#versions,
    }));
    const bySection = new Map<string, DigestItem[]>();
    for (const item of items) {
      const name = sectionOf(item.address, this.#page);
      bySection.set(name, [...(bySection.get(name) ?? []), item]);
    }
    const small = [...bySection].filter(([name, list]) => name === '' || list.length < LEAST_IN_SECTION);
    for (const [name] of small) bySection.delete(name);
    const rest = small.flatMap(([, list]) => list);
    const sections = [...bySection]
      .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
      .map(([name, list]) => ({ name, items: inOrder(list) }));
    return rest.length === 0 ? sections : [...sections, { name: '', items: inOrder(rest) }];
  }
}

const inOrder = (items: readonly DigestItem[]): readonly DigestItem[] =>
  items.toSorted(
    (a, b) => Number(b.wasLead) - Number(a.wasLead) || a.firstSeen - b.firstSeen || b.weight - a.weight,
  );

/** The headlines that lead elsewhere, with the key of their article. */
function* linkedFrom(layout: Layout, page: string): Iterable<Headline & { readonly key: string }> {
  for (const headline of headlinesOf(layout)) {
    const key = keyOf(headline.link.address);
    if (key !== undefined && key !== keyOf(page)) yield { ...headline, key };
  }
}

/** The same article over http and https, with or without `www.`, and with any fragment. */
function keyOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, pathname, search } = new URL(address);
  return /^https?:$/.test(protocol) ? `${host.replace(/^www\./, '')}${pathname}${search}` : undefined;
}

function sectionOf(address: string, page: string): string {
  const [own, of] = [new URL(address), new URL(page)];
  if (own.host.replace(/^www\./, '') !== of.host.replace(/^www\./, '')) return own.host;
  const parts = own.pathname.split('/').filter(Boolean);
  return parts.length > 1 ? decoded(parts[0] ?? '') : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
