import { describe, expect, test } from 'vitest';
import type { PageWords } from '../ports/page-reader.ts';
import { PerimeterFacts } from './perimeter-facts.ts';

const words = (
  declared: string | undefined,
  text: string,
  links: Readonly<Record<string, string>> = {},
): PageWords => ({
  declared,
  text: () => text,
  linkWords: (url) => links[url],
});

/** Texts say their language in their first word. */
function facts(asks = { topics: [], commercial: 0 }) {
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
    expect(facts({ topics: [], commercial: -1 }).found.ofPage(page, words(undefined, 'fr')).text).toBe('fr');
    expect(facts().found.ofPage({ url: page.url }, undefined)).toEqual({
      url: page.url,
      host: 'a.fr',
      domain: 'a.fr',
    });
  });

  test('declared rightly on five pages of its host => believed, and looked at again at one in sixteen', () => {
    const { found, looked } = facts();
    for (let i = 0; i < 32; i++) found.ofPage({ url: `https://a.fr/${i}` }, words('fr', 'fr'));
    expect(looked()).toBe(7);
    // Another language of the same site is believed too; a site that nothing is known of is not.
    expect(found.ofPage({ url: 'https://a.fr/en' }, words('en', 'fr')).language?.code).toBe('en');
    expect(found.ofPage({ url: 'https://b.fr/' }, words('en', 'fr')).language?.code).toBe('fr');
  });

  test('declared wrongly once => its text alone tells, until it was right five times again', () => {
    const { found, looked } = facts();
    const read = (declared: string, text: string) =>
      found.ofPage({ url: 'https://a.fr/' }, words(declared, text));
    for (let i = 0; i < 15; i++) read('fr', 'fr');
    expect(read('fr', 'en').language?.code).toBe('en');
    const before = looked();
    for (let i = 0; i < 5; i++) read('fr', 'fr');
    expect(looked() - before).toBe(5);
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
