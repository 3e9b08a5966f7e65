import { expect, test } from 'vitest';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { UserError } from '../user-error.ts';
import { seedUrls } from './seed-urls.ts';

const refusal = (...seeds: string[]): string => {
  try {
    return seedUrls({ ...SPEC, seeds }).join(' ');
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
};

test.each([
  'https://reader:canary-password-5f@example.org/',
  'https://reader@example.org/',
  'https://:canary-password-5f@example.org/a',
])(
  'a seed with a user name or password, %s => refused, without telling it, and how to give it instead',
  (seed) => {
    const told = refusal('https://example.org/ok', seed);
    expect(told).toContain('which would be kept with the crawl');
    expect(told).toContain('--credentials env:NAME');
    expect(told).not.toMatch(/canary|reader/);
  },
);

test('an @ that is no password => a seed', () => {
  expect(refusal('https://example.org/@someone?a=b:c@d')).toBe('https://example.org/@someone?a=b:c@d');
});

test('no seed, or none that can be asked for => refused', () => {
  expect(refusal()).toContain('no URL to begin with');
  expect(refusal('ftp://example.org/')).toContain('cannot be archived');
});
