import type { Exchange } from '../model/exchange.ts';
import type { AddressCountries } from '../ports/address-countries.ts';
import type { AddressFacts } from '../ports/address-facts.ts';
import type { LanguageIdentifier } from '../ports/language-identifier.ts';
import type { PageText } from '../ports/page-reader.ts';
import type { PerimeterDefinition } from '../science/perimeter/definition.ts';
import type { IdentifiedLanguage, PageFacts } from '../science/perimeter/page-facts.ts';

export interface Countries extends Pick<AddressCountries, 'countryOf'> {
  /** Whether a list of the user's own tells of an address; none of them where there is no such list. */
  isOwn?(address: string): boolean;
}

interface ServerCountry {
  readonly country: string;
  readonly isOwnCountry?: true;
}

export interface PerimeterPorts {
  readonly languages: LanguageIdentifier;
  /** Absent where there is no table of addresses: countries then say nothing. */
  readonly countries?: Countries;
  readonly addressFacts: (url: string) => AddressFacts | undefined;
}

/** Characters of running text in which a language is looked for; the first words of a page are its menu. */
const LANGUAGE_FROM = 200;
const LANGUAGE_TO = 600;
/**
 * Characters of a first, short look, which costs a third of the whole one: it is enough where it finds, with this chance, the
 * language that was expected. Any other outcome is looked at in whole.
 */
const GLANCE = 100;
const SURE_AT_A_GLANCE = 0.9;
/** Chance from which the words of a link tell a language: they are few. */
const TOLD_BY_LINK = 0.7;
/** Pages of a host in a row on which what it declares was what its text is in, before its declaration is trusted. */
const RIGHT_TO_BELIEVE = 5;
/** After so many pages it is checked again, after twice as many the next time, up to the last; a single mistake ends the trust. */
const CHECKED_AFTER = 16;
const CHECKED_AT_LEAST_AFTER = 64;
/** Chance of a language that was declared and not looked at: CLD3 is as sure of a page of text. */
const BELIEVED = 0.97;
/** Hosts, and addresses of servers, of which something is remembered. */
const HOSTS_KNOWN = 100_000;

/** What a host has shown of the languages of its pages. */
interface HostLanguages {
  /** Pages in a row, of those looked at, that were in the language they declared. */
  right: number;
  /** Pages that are still believed before the next look, and after it. */
  believed: number;
  nextBelieved: number;
  last?: string;
}

/** Stage: what a page, and a link to another one, show that a perimeter asks for. */
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

  /** Of a page that was read. */
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

  /** Of a page that `from` links to, before it is read: its address, and the words of the link where it leads to another host. */
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

  /** By its text, or as it declares it where its site has declared it rightly so far. */
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

  /** Pages of a server come one after the other. */
  #countryOfServer(ip: string): ServerCountry | undefined {
    if (this.#countryAt.has(ip)) return this.#countryAt.get(ip);
    const { countries } = this.#ports;
    const country = countries?.countryOf(ip);
    const isOwnCountry = countries?.isOwn?.(ip) && { isOwnCountry: true as const };
    const found = country === undefined ? undefined : { country, ...isOwnCountry };
    if (this.#countryAt.size < HOSTS_KNOWN) this.#countryAt.set(ip, found);
    return found;
  }

  /** Parsing an address and its public suffix took a tenth of all that a perimeter costs: most links lead to hosts that are known. */
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

/** A host was looked at: its declaration was right, or not. */
function believe(known: HostLanguages, isRight: boolean): void {
  known.right = isRight ? known.right + 1 : 0;
  if (!isRight) known.nextBelieved = CHECKED_AFTER;
  if (known.right < RIGHT_TO_BELIEVE) return;
  known.believed = known.nextBelieved;
  known.nextBelieved = Math.min(2 * known.nextBelieved, CHECKED_AT_LEAST_AFTER);
}
