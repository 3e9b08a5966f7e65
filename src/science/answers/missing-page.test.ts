import { expect, test } from 'vitest';
import { likeness, looksMissing, sameAsMissing } from './missing-page.ts';
import type { SeenAnswer } from './seen-answer.ts';

const answer = (more: Partial<SeenAnswer>): SeenAnswer => ({
  url: 'https://example.org/old/story',
  status: 200,
  headers: [],
  html: '',
  title: 'Example',
  text: '',
  links: 5,
  ...more,
});

test('title or heading says that nothing is here => suspicious', () => {
  expect(looksMissing(answer({ title: 'Page not found - Example' }))).toBe(true);
  expect(looksMissing(answer({ html: '<h1>Seite nicht gefunden</h1>' }))).toBe(true);
  expect(looksMissing(answer({ title: 'Page introuvable' }))).toBe(true);
  expect(looksMissing(answer({ title: 'Lost and found' }))).toBe(false);
  expect(looksMissing(answer({ status: 404, title: '404' }))).toBe(false);
});

const words = 'Sorry, we could not find what you looked for. Home News Sports Contact';

test('the same words as for an address that cannot exist, but for the address => a soft 404', () => {
  const missing = { url: 'https://example.org/x7', status: 200, title: '', text: `${words} /x7` };
  const page = answer({ text: `${words} /old/story` });
  expect(sameAsMissing(page, missing)).toMatch(/^100 % of its words/);
  expect(
    sameAsMissing(answer({ text: 'All about lost pages, and how they are found.' }), missing),
  ).toBeUndefined();
});

test('a host that answers 404 for what is not there => its other answers are pages', () => {
  const missing = { url: 'https://example.org/x7', status: 404, title: '', text: words };
  expect(sameAsMissing(answer({ text: words }), missing)).toBeUndefined();
});

test('two texts without words => nothing is told', () => {
  expect(likeness(new Map(), new Map())).toBe(0);
});
