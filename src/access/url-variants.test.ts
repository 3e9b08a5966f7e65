import { describe, expect, it } from 'vitest';
import { postedUrl, sameButForVariant, urlVariants } from './url-variants.ts';

describe('urlVariants', () => {
  it('http://x.org/a => itself first, then https and www', () => {
    expect(urlVariants('http://x.org/a')).toEqual([
      'http://x.org/a',
      'https://x.org/a',
      'http://www.x.org/a',
      'https://www.x.org/a',
    ]);
  });

  it('http://X.org:80#top => the standard spelling is second', () => {
    expect(urlVariants('http://X.org:80#top')[1]).toBe('http://x.org/');
  });

  it('escapes that a browser adds => also without; those that mean something, or no UTF-8 => kept', () => {
    expect(urlVariants('http://127.0.0.1/a%20b/%C3%A9?q=%22%2F%26%25')).toEqual([
      'http://127.0.0.1/a%20b/%C3%A9?q=%22%2F%26%25',
      'http://127.0.0.1/a b/é?q="%2F%26%25',
      'https://127.0.0.1/a%20b/%C3%A9?q=%22%2F%26%25',
      'https://127.0.0.1/a b/é?q="%2F%26%25',
    ]);
    expect(urlVariants('http://127.0.0.1/%E9%zz')).toEqual([
      'http://127.0.0.1/%E9%zz',
      'https://127.0.0.1/%E9%zz',
    ]);
  });

  it('an address, a urn, no URL => no www', () => {
    expect(urlVariants('http://127.0.0.1:8/a')).toEqual(['http://127.0.0.1:8/a', 'https://127.0.0.1:8/a']);
    expect(urlVariants('urn:view:http://x.org/')).toEqual(['urn:view:http://x.org/']);
    expect(urlVariants('::')).toEqual(['::']);
  });

  it('https://www.x.org/ and http://x.org/ => the same but for the variant; another path => not', () => {
    expect(sameButForVariant('https://www.x.org/', 'http://x.org/')).toBe(true);
    expect(sameButForVariant('https://www.x.org/', 'http://x.org/b')).toBe(false);
  });
});

describe('postedUrl', () => {
  it('http://x/api?a=1&__wb_method=POST&b=2 => posted to http://x/api?a=1', () => {
    expect(postedUrl('http://x/api?a=1&__wb_method=POST&b=2')).toEqual({
      url: 'http://x/api?a=1',
      method: 'POST',
    });
    expect(postedUrl('http://x/api?a=1')).toBeUndefined();
  });
});
