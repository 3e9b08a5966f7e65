import type { Exchange } from '../model/exchange.ts';
import type { AddressCountries } from '../ports/address-countries.ts';
import type { AddressFacts } from '../ports/address-facts.ts';
import type { LanguageIdentifier } from '../ports/language-identifier.ts';
import type { PageText } from '../ports/page-reader.ts';
import type { PerimeterDefinition } from '../science/perimeter/definition.ts';
import type { IdentifiedLanguage, PageFacts } from '../science/perimeter/page-facts.ts';

export interface Countries extends Pick<AddressCountries, 'countryOf'> {
  /** Whether a list of the user's own covers an address; absent if there is no such list. */
  isOwn?(address: string): boolean;
}

interface ServerCountry {
  readonly country: string;
  readonly isOwnCountry?: true;
}

export interface PerimeterPorts {
  readonly languages: LanguageIdentifier;
  /** Absent if there is no table of addresses: countries then say nothing. */
  readonly countries?: Countries;
  readonly addressFacts: (url: string) => AddressFacts | undefined;
}

/** Range of characters of running text used for identifying the language; the first words of a page are its menu. */
const LANGUAGE_FROM = 200;
const LANGUAGE_TO = 600;
/**
 * Characters of a first, short look, which costs a third of a full one: it suffices if it finds the expected language with this
 * probability. Otherwise the full text is looked at.
 */
const GLANCE = 100;
const SURE_AT_A_GLANCE = 0.9;
/** Probability from which the words of a link identify a language: they are few. */
const TOLD_BY_LINK = 0.7;
/** Consecutive pages of a host whose text was in the declared language, before its declarations are trusted. */
const RIGHT_TO_BELIEVE = 5;
/** After this many pages it is checked again, then after twice as many, up to the maximum; a single mistake ends the trust. */
const CHECKED_AFTER = 16;
const CHECKED_AT_LEAST_AFTER = 64;
/** Probability of a language that was declared and not checked: CLD3 is as sure of a page of text. */
const BELIEVED = 0.97;
/** Hosts, and server addresses, about which something is remembered. */
const HOSTS_KNOWN = 100_000;

/** What a host has shown about the languages of its pages. */
interface HostLanguages {
  /** Consecutive pages, of those checked, that were in the language they declared. */
  right: number;
  /** Pages that are still believed before the next check, and after it. */
  believed: number;
  nextBelieved: number;
  last?: string;
}

/** Stage: evidence that a page, and a link to another one, give about what a perimeter asks for. */
export class PerimeterFacts {
  readonly #ports: PerimeterPorts;
  readonly #countryOf = new Map<string, ServerCountry>();
  /** By address of the server. */
  readonly #countryAt = new Map<string, ServerCountry | undefined>();
  /** By the part of a URL that names its server. */
  readonly #places = new Map<string, Omit<AddressFacts, 'url'>>();
  readonly #languages = new Map<string, HostLanguages>();
  readonly #asksText: boolean;
  readonly #asksLanguage: boolean;

  /** `asks`: what the perimeter has weights for. */
  constructor(ports: PerimeterPorts, asks: Pick<PerimeterDefinition, 'languages' | 'topics' | 'commercial'>) {
    this.#ports = ports;
    this.#asksText = asks.topics.length > 0 || asks.commercial !== 0;
    this.#asksLanguage = Object.keys(asks.languages).length > 0;
  }

  /** For a page that was read. */
  ofPage({ url, ip }: Pick<Exchange, 'url' | 'ip'>, words: PageText | undefined): PageFacts {
    const address = this.#address(url);
    const country = ip === undefined ? undefined : this.#countryOfServer(ip);
    if (country !== undefined && this.#countryOf.size < HOSTS_KNOWN)
      this.#countryOf.set(address.host, country);
    const text = words && this.#asksText ? words.text() : undefined;
    const language = words && this.#asksLanguage ? this.#languageOf(address.host, words) : undefined;
    return {
      ...address,
      ...(language && { language }),
      ...country,
      ...(text !== undefined && { text }),
    };
  }

  /** For a page that `from` links to, before it is read: its address, and the words of the link if it leads to another host. */
  ofLink(url: string, from: string, words: Pick<PageText, 'linkWords'> | undefined): PageFacts {
    const address = this.#address(url);
    const country = this.#countryOf.get(address.host);
    const isElsewhere = address.host !== this.#address(from).host;
    const said = isElsewhere && this.#asksLanguage ? words?.linkWords(url) : undefined;
    const language = said === undefined ? undefined : this.#ports.languages.identify(said);
    return {
      ...address,
      ...country,
      ...(language && language.chance >= TOLD_BY_LINK && { language: { ...language, chance: TOLD_BY_LINK } }),
    };
  }

  /** By its text, or by its declaration if its site has declared correctly so far. */
  #languageOf(host: string, { declared, text }: PageText): IdentifiedLanguage | undefined {
    const known = this.#languagesOf(host);
    if (declared !== undefined && known.believed > 0) {
      known.believed--;
      return { code: declared, chance: BELIEVED };
    }
    const found = this.#lookedFor(declared ?? known.last, text());
    if (declared !== undefined && found) believe(known, found.code === declared);
    if (found) known.last = found.code;
    return found;
  }

  #languagesOf(host: string): HostLanguages {
    const known = this.#languages.get(host);
    if (known) return known;
    const fresh = { right: 0, believed: 0, nextBelieved: CHECKED_AFTER };
    if (this.#languages.size < HOSTS_KNOWN) this.#languages.set(host, fresh);
    return fresh;
  }

  #lookedFor(expected: string | undefined, text: string): IdentifiedLanguage | undefined {
    const { languages } = this.#ports;
    const body = text.length > LANGUAGE_TO ? text.slice(LANGUAGE_FROM, LANGUAGE_TO) : text;
    if (expected !== undefined && body.length > GLANCE) {
      const seen = languages.identify(body.slice(0, GLANCE));
      if (seen?.code === expected && seen.chance >= SURE_AT_A_GLANCE) return seen;
    }
    return languages.identify(body);
  }

  /** Pages of one server come in succession. */
  #countryOfServer(ip: string): ServerCountry | undefined {
    if (this.#countryAt.has(ip)) return this.#countryAt.get(ip);
    const { countries } = this.#ports;
    const country = countries?.countryOf(ip);
    const isOwnCountry = countries?.isOwn?.(ip) && { isOwnCountry: true as const };
    const found = country === undefined ? undefined : { country, ...isOwnCountry };
    if (this.#countryAt.size < HOSTS_KNOWN) this.#countryAt.set(ip, found);
    return found;
  }

  /** Parsing an address and its public suffix took a tenth of a perimeter's total cost: most links lead to known hosts. */
  #address(url: string): AddressFacts {
    const server = /^https?:\/\/[^/?#\\]+/.exec(url)?.[0];
    const known = server === undefined ? undefined : this.#places.get(server);
    if (known) return { url, ...known };
    const found = this.#ports.addressFacts(url);
    if (!found) return { url, host: '', domain: '' };
    const { host, domain } = found;
    if (server !== undefined && this.#places.size < HOSTS_KNOWN) this.#places.set(server, { host, domain });
    return found;
  }
}

/** A host was checked: its declaration was right, or not. */
function believe(known: HostLanguages, isRight: boolean): void {
  known.right = isRight ? known.right + 1 : 0;
  if (!isRight) known.nextBelieved = CHECKED_AFTER;
  if (known.right < RIGHT_TO_BELIEVE) return;
  known.believed = known.nextBelieved;
  known.nextBelieved = Math.min(2 * known.nextBelieved, CHECKED_AT_LEAST_AFTER);
}
