import { describe, expect, test } from 'vitest';
import type { PageText } from '../ports/page-reader.ts';
import { PerimeterFacts } from './perimeter-facts.ts';

const words = (
  declared: string | undefined,
  text: string,
  links: Readonly<Record<string, string>> = {},
): PageText => ({
  declared,
  text: () => text,
  linkWords: (url) => links[url],
});

/** The first word of a text states its language. */
function facts(asked: Partial<ConstructorParameters<typeof PerimeterFacts>[1]> = {}) {
  const asks = { languages: { fr: 1 }, topics: [], commercial: 0, ...asked };
  let looked = 0;
  const found = new PerimeterFacts(
    {
      languages: {
        identify: (text) => {
          looked++;
          const [code = '', chance = '1'] = text.split(' ');
          return code === '' ? undefined : { code, chance: Number(chance) };
        },
      },
      countries: { countryOf: (address) => (address === '192.0.2.1' ? 'FR' : undefined) },
      addressFacts: (url) => ({ url, host: new URL(url).hostname, domain: new URL(url).hostname }),
    },
    asks,
  );
  return { found, looked: () => looked };
}

describe('of a page', () => {
  test('its address, its server, its text => domain, country, language; the text where a topic asks for it', () => {
    const page = { url: 'https://a.fr/', ip: '192.0.2.1' };
    expect(facts().found.ofPage(page, words(undefined, 'fr 0.9'))).toEqual({
      ...{
        url: page.url,
        host: 'a.fr',
        domain: 'a.fr',
        country: 'FR',
        language: { code: 'fr', chance: 0.9 },
      },
    });
    expect(facts({ commercial: -1 }).found.ofPage(page, words(undefined, 'fr')).text).toBe('fr');
    expect(facts().found.ofPage({ url: page.url }, undefined)).toEqual({
      url: page.url,
      host: 'a.fr',
      domain: 'a.fr',
    });
  });

  test('no weight for any language => nobody looks for one', () => {
    const { found, looked } = facts({ languages: {} });
    expect(found.ofPage({ url: 'https://a.fr/' }, words(undefined, 'fr'))).not.toHaveProperty('language');
    found.ofLink('https://b.de/', 'https://a.fr/', words(undefined, '', { 'https://b.de/': 'de' }));
    expect(looked()).toBe(0);
  });

  test('a long text in the language of the page before => a glance is enough; in another => looked at in whole', () => {
    const seen: number[] = [];
    const found = new PerimeterFacts(
      {
        languages: {
          identify: (text) => {
            seen.push(text.length);
            return { code: text.slice(0, 2), chance: text.startsWith('da') ? 0.6 : 0.99 };
          },
        },
        addressFacts: (url) => ({ url, host: 'a.fr', domain: 'a.fr' }),
      },
      { languages: { fr: 1 }, topics: [], commercial: 0 },
    );
    const read = (code: string) =>
      found.ofPage({ url: 'https://a.fr/' }, words(undefined, code.repeat(500))).language;
    expect([read('fr'), read('fr'), read('de')].map((one) => one?.code)).toEqual(['fr', 'fr', 'de']);
    expect(seen).toEqual([400, 100, 100, 400]);
    // A glance that is not sure of the expected language does not count.
    read('da');
    read('da');
    expect(seen.slice(4)).toEqual([100, 400, 100, 400]);
  });

  test('declared rightly on five pages of its host => believed, and looked at again after 16, 32, 64, 64 pages', () => {
    const { found, looked } = facts();
    const looks: number[] = [];
    for (let page = 1; page <= 185; page++) {
      const before = looked();
      found.ofPage({ url: `https://a.fr/${page}` }, words('fr', 'fr'));
      if (looked() > before) looks.push(page);
    }
    expect(looks).toEqual([1, 2, 3, 4, 5, 22, 55, 120, 185]);
    // Another language of the same site is believed too; a site of which nothing is known is not.
    expect(found.ofPage({ url: 'https://a.fr/en' }, words('en', 'fr')).language?.code).toBe('en');
    expect(found.ofPage({ url: 'https://b.fr/' }, words('en', 'fr')).language?.code).toBe('fr');
  });

  test('declared wrongly once => its text alone tells, until it was right five times again', () => {
    const { found, looked } = facts();
    const read = (declared: string, text: string) =>
      found.ofPage({ url: 'https://a.fr/' }, words(declared, text));
    for (let i = 0; i < 21; i++) read('fr', 'fr');
    expect(read('fr', 'en').language?.code).toBe('en');
    const before = looked();
    for (let i = 0; i < 5; i++) read('fr', 'fr');
    expect(looked() - before).toBe(5);
    for (let i = 0; i < 17; i++) read('fr', 'fr');
    expect(looked() - before).toBe(6);
  });
});

describe('of a link', () => {
  const links = { 'https://b.com/': 'fr 0.8', 'https://c.com/': 'fr 0.6', 'https://a.fr/2': 'fr 1' };
  test.each([
    ['https://b.com/', { code: 'fr', chance: 0.7 }],
    ['https://c.com/', undefined],
    ['https://d.com/', undefined],
    ['https://a.fr/2', undefined],
  ])('%s => language %o', (url, language) => {
    expect(facts().found.ofLink(url, 'https://a.fr/', words('fr', '', links)).language).toEqual(language);
  });

  test('to a host that a page was read of => its country is known before it is read', () => {
    const { found } = facts();
    found.ofPage({ url: 'https://a.com/', ip: '192.0.2.1' }, undefined);
    expect(found.ofLink('https://a.com/2', 'https://b.com/', undefined).country).toBe('FR');
  });
});
