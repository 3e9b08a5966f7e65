/**
 * Families of URLs that show one page over and over: `?layer=1…n`, `/maze/17/`. Apart from numbers their texts are equal, while
 * the pages of a forum, a shop or a news archive differ in words, however many there are.
 *
 * A family is a path and the names of its arguments, digits folded. The texts of its first pages are not examined: most families
 * are small. From half of the limit on they are; once as many again were seen and 19 of 20 of them said the same, the rest of
 * the family is a trap. Soft 404s among real threads are far fewer than that.
 */
import { foldedTextName } from './folded-text.ts';
import { type Trap, trapped } from './url-traps.ts';

export interface AlikePages {
  /** Whether the text of this visited page is needed. */
  wants(url: string): boolean;
  /** The trap, if this page made its family one. */
  observe(url: string, text: string): Trap | undefined;
  /** For a URL whose family is a trap. */
  trapOf(url: string): Trap | undefined;
}

/** Families that are remembered; the one seen first is forgotten first. */
const FAMILIES = 5_000;
/** Different texts counted per family: with more of them it is not a trap. */
const TEXTS = 32;
/** Pages examined before a family counts as real pages: reading the text of every page took as long as the rest of a visit. */
const TRIAL = 20;
/** How many of 20 examined pages must be alike. */
const SAME_OF_20 = 19;

interface Family {
  pages: number;
  looked: number;
  readonly texts: Map<string, number>;
  trap?: Trap;
}

export function createAlikePages(limit: number): AlikePages {
  const families = new Map<string, Family>();
  const half = Math.max(1, Math.ceil(limit / 2));
  let traps = 0;

  function familyOf(url: string): Family | undefined {
    const name = familyName(url);
    if (name === undefined) return undefined;
    let family = families.get(name);
    if (!family) {
      if (families.size >= FAMILIES) {
        const oldest = families.keys().next();
        if (!oldest.done) families.delete(oldest.value);
      }
      family = { pages: 0, looked: 0, texts: new Map() };
      families.set(name, family);
    }
    return family;
  }

  return {
    wants(url) {
      if (limit === Number.POSITIVE_INFINITY) return false;
      const family = familyOf(url);
      if (!family || family.trap) return false;
      return ++family.pages > half;
    },
    observe(url, text) {
      const family = familyOf(url);
      if (!family || family.trap) return undefined;
      const key = foldedTextName(text);
      family.looked++;
      const same = (family.texts.get(key) ?? 0) + 1;
      if (same > 1 || family.texts.size < TEXTS) family.texts.set(key, same);
      if (family.looked === TRIAL && Math.max(...family.texts.values()) * 2 < TRIAL) {
        // Real pages: examined again after as many more.
        family.pages = 0;
        family.looked = 0;
        family.texts.clear();
        return undefined;
      }
      if (same < half || same * 20 < family.looked * SAME_OF_20) return undefined;
      const detail = `${family.pages} pages of ${familyName(url)} are known, alike but for numbers`;
      family.trap = trapped('trap-alike-pages', detail);
      traps++;
      return family.trap;
    },
    trapOf(url) {
      if (traps === 0) return undefined;
      const name = familyName(url);
      return name === undefined ? undefined : families.get(name)?.trap;
    },
  };
}

/** Undefined for a URL in which nothing can count up. */
function familyName(url: string): string | undefined {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const start = path.indexOf('/', path.indexOf('://') + 3);
  const folded = start < 0 ? path : path.slice(0, start) + path.slice(start).replace(/\d+/g, 'N');
  if (query < 0) return folded === path ? undefined : folded;
  const names = url
    .slice(query + 1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0]);
  return `${folded}?${names.join('&')}`;
}
