import type { Exchange } from '../model/exchange.ts';
import type { AddressCountries } from '../ports/address-countries.ts';
import type { AddressFacts } from '../ports/address-facts.ts';
import type { LanguageIdentifier } from '../ports/language-identifier.ts';
import type { PageWords } from '../ports/page-reader.ts';
import type { PerimeterDefinition } from '../science/perimeter/definition.ts';
import type { IdentifiedLanguage, PageFacts } from '../science/perimeter/page-facts.ts';

export interface PerimeterPorts {
  readonly languages: LanguageIdentifier;
  /** Absent where there is no table of addresses: countries then say nothing. */
  readonly countries?: Pick<AddressCountries, 'countryOf'>;
  readonly addressFacts: (url: string) => AddressFacts | undefined;
}

/** Characters of running text in which a language is looked for; the first words of a page are its menu. */
const LANGUAGE_FROM = 200;
const LANGUAGE_TO = 600;
/** Chance from which the words of a link tell a language: they are few. */
const TOLD_BY_LINK = 0.7;
/** Pages of a host in a row on which what it declares was what its text is in, until it is taken at its word. */
const RIGHT_TO_BELIEVE = 5;
/** One page in so many is looked at all the same; one mistake, and its word counts for nothing again. */
const CHECKED_EVERY = 16;
/** Chance of a language that was declared and not looked at: CLD3 is as sure of a page of text. */
const BELIEVED = 0.97;
/** Hosts of which something is remembered. */
const HOSTS_KNOWN = 100_000;

/** Stage: what a page, and a link to another one, show that a perimeter asks for. */
export class PerimeterFacts {
  readonly #ports: PerimeterPorts;
  readonly #countryOf = new Map<string, string>();
  /** By host: how far its word on languages can be taken. */
  readonly #wordOf = new Map<string, { right: number; pages: number }>();
  readonly #asksText: boolean;

  /** `asks`: what the perimeter has weights for. */
  constructor(ports: PerimeterPorts, asks: Pick<PerimeterDefinition, 'topics' | 'commercial'>) {
    this.#ports = ports;
    this.#asksText = asks.topics.length > 0 || asks.commercial !== 0;
  }

  /** Of a page that was read. */
  ofPage({ url, ip }: Pick<Exchange, 'url' | 'ip'>, words: PageWords | undefined): PageFacts {
    const address = this.#address(url);
    const country = ip === undefined ? undefined : this.#ports.countries?.countryOf(ip);
    if (country !== undefined && this.#countryOf.size < HOSTS_KNOWN)
      this.#countryOf.set(address.host, country);
    const text = words && this.#asksText ? words.text() : undefined;
    const language = words && this.#languageOf(address.host, words);
    return {
      ...address,
      ...(language && { language }),
      ...(country !== undefined && { country }),
      ...(text !== undefined && { text }),
    };
  }

  /** Of a page that `from` links to, before it is read: its address, and the words of the link where it leads to another host. */
  ofLink(url: string, from: string, words: Pick<PageWords, 'linkWords'> | undefined): PageFacts {
    const address = this.#address(url);
    const country = this.#countryOf.get(address.host);
    const isElsewhere = address.host !== this.#address(from).host;
    const said = isElsewhere ? words?.linkWords(url) : undefined;
    const language = said === undefined ? undefined : this.#ports.languages.identify(said);
    return {
      ...address,
      ...(country !== undefined && { country }),
      ...(language && language.chance >= TOLD_BY_LINK && { language: { ...language, chance: TOLD_BY_LINK } }),
    };
  }

  /** By its text, or as it declares it where its site has declared it rightly so far. */
  #languageOf(host: string, { declared, text }: PageWords): IdentifiedLanguage | undefined {
    const word = this.#wordOf.get(host) ?? { right: 0, pages: 0 };
    if (this.#wordOf.size < HOSTS_KNOWN) this.#wordOf.set(host, word);
    word.pages++;
    if (declared !== undefined && word.right >= RIGHT_TO_BELIEVE && word.pages % CHECKED_EVERY !== 0)
      return { code: declared, chance: BELIEVED };
    const whole = text();
    const body = whole.length > LANGUAGE_TO ? whole.slice(LANGUAGE_FROM, LANGUAGE_TO) : whole;
    const found = this.#ports.languages.identify(body);
    if (declared !== undefined && found) word.right = found.code === declared ? word.right + 1 : 0;
    return found;
  }

  #address(url: string): AddressFacts {
    return this.#ports.addressFacts(url) ?? { url, host: '', domain: '' };
  }
}
