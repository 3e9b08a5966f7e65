import { expect, it } from 'vitest';
import { errorPages, errorPageText } from './error-page-words.ts';

const said = (old: number | undefined, now: number | undefined): string | undefined => {
  const found = errorPages(old, now);
  return found && errorPageText(found);
};

it.each([
  [200, 200, undefined],
  [undefined, undefined, undefined],
  [200, 503, 'The page answers 503, and an error page stands in its place'],
  [undefined, 404, 'The page is gone: it answers 404, and an error page stands in its place'],
  [200, 410, 'The page is gone: it answers 410, and an error page stands in its place'],
  [500, 200, 'The page is back: an error page (500) stood in its place'],
  [404, 503, 'Neither is the page: error pages stand in its place, 404 before and 503 after'],
])('%s, then %s => %s', (old, now, words) => expect(said(old, now)).toBe(words));
