import { afterEach, expect, it } from 'vitest';
import { locale, setLocale } from './locale.ts';

afterEach(() => setLocale('en', []));

it('the region that the browser wants, or the language where it wants none of it, or says what is no tag', () => {
  const chosen = (language: string, wanted: string[]): string => {
    setLocale(language, wanted);
    return locale();
  };
  expect(chosen('en', ['de', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(chosen('de', ['fr-FR'])).toBe('de');
  expect(chosen('en', ['en-US@posix'])).toBe('en');
});
