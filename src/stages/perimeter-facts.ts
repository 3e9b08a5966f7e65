import type { Exchange } from '../model/exchange.ts';
import type { AddressCountries } from '../ports/address-countries.ts';
import type { AddressFacts } from '../ports/address-facts.ts';
import type { LanguageIdentifier } from '../ports/language-identifier.ts';
import type { PageWords } from '../ports/page-reader.ts';
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
/** Hosts whose country is remembered. */
const HOSTS_KNOWN = 100_000;

/** Stage: what a page, and a link to another one, show that a perimeter asks for. */
export class PerimeterFacts {
  readonly #ports: PerimeterPorts;
  readonly #countryOf = new Map<string, string>();

  constructor(ports: PerimeterPorts) {
    this.#ports = ports;
  }

  /** Of a page that was read; `text` is the beginning of its running text. */
  ofPage({ url, ip }: Pick<Exchange, 'url' | 'ip'>, text: string | undefined): PageFacts {
    const address = this.#address(url);
    const country = ip === undefined ? undefined : this.#ports.countries?.countryOf(ip);
    if (country !== undefined && this.#countryOf.size < HOSTS_KNOWN)
      this.#countryOf.set(address.host, country);
    const language = text === undefined ? undefined : this.#languageOf(text);
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

  #languageOf(text: string): IdentifiedLanguage | undefined {
    const body =
      text.length > LANGUAGE_TO ? text.slice(LANGUAGE_FROM, LANGUAGE_TO) : text.slice(-LANGUAGE_TO);
    return this.#ports.languages.identify(body);
  }

  #address(url: string): AddressFacts {
    return this.#ports.addressFacts(url) ?? { url, host: '', domain: '' };
  }
}
