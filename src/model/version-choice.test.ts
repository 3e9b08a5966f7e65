import { expect, it } from 'vitest';
import { type AskedChoice, choiceOfView, viewOfChoice } from './version-choice.ts';

it.each<[AskedChoice]>([
  [{ choice: 'likely' }],
  [{ choice: 'before' }],
  [{ choice: 'after' }],
  [{ choice: 'closest' }],
  [{ choice: 'capture', crawl: 12 }],
])('%j => a view that says so, fit for a host name', (asked) => {
  const view = viewOfChoice('k3x9az01', asked);
  expect(choiceOfView(view)).toEqual(asked);
  expect(view).toMatch(/^[a-z0-9]{8,17}$/);
});

it.each(['', 'opened', 'zzbz', 'bzz1'])("view '%s' => likely", (view) => {
  expect(choiceOfView(view)).toEqual({ choice: 'likely' });
});
