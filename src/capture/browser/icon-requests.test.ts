import { expect, test } from 'vitest';
import { isIconRequest } from './icon-requests.ts';

const paused = (resourceType: string, accept?: string) =>
  ({
    resourceType,
    request: { url: 'http://page.test/favicon.ico', headers: accept === undefined ? {} : { Accept: accept } },
  }) as Parameters<typeof isIconRequest>[0];

test.each([
  ['Other', 'image/avif,image/webp,image/*,*/*;q=0.8', true],
  ['Image', 'image/avif,image/webp,image/*,*/*;q=0.8', false],
  ['Other', '*/*', false],
  ['Other', undefined, false],
])('%s that accepts %s => %s', (type, accept, is) => {
  expect(isIconRequest(paused(type, accept))).toBe(is);
});
