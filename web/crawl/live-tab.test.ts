import { expect, it } from 'vitest';
import { followed } from './live-tab.ts';

it('a chosen visit => itself while it goes on, then the first there is; no visit => undefined', () => {
  const visits = [{ url: 'https://a.org/1' }, { url: 'https://a.org/2' }];
  expect(followed(visits, 'https://a.org/2')).toBe('https://a.org/2');
  expect(followed(visits, 'https://a.org/3')).toBe('https://a.org/1');
  expect(followed(visits, undefined)).toBe('https://a.org/1');
  expect(followed([], 'https://a.org/2')).toBeUndefined();
});
