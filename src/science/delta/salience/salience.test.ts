import { describe, expect, it } from 'vitest';
import {
  drawHomePage,
  HAPPENED,
  type Happening,
  type HomePage,
  homePage,
  withReplaced,
} from '../../../../test/home-page.ts';
import type { Layout } from '../../../model/layout.ts';
import { pageLayout } from '../../layout/page-layout.ts';
import { diffLayouts } from '../diff-layouts.ts';
import { changeSalience } from './salience.ts';

const layoutOf = (page: HomePage, version: string): Layout =>
  pageLayout(drawHomePage(page), { version }).layout;

function salienceOf(before: HomePage, after: HomePage) {
  const [old, now] = [layoutOf(before, 'v1'), layoutOf(after, 'v2')];
  return changeSalience({ old, new: now, delta: diffLayouts(old, now) });
}

const SIZES = [5, 20, 80, 320] as const;
const names = Object.keys(HAPPENED) as Happening[];
const table = new Map<number, ReadonlyMap<Happening, number>>(
  SIZES.map((count) => {
    const page = homePage(count);
    return [count, new Map(names.map((name) => [name, salienceOf(page, HAPPENED[name](page)).value]))];
  }),
);
const value = (count: number, name: Happening): number => table.get(count)?.get(name) ?? Number.NaN;
if (process.env.SHOW_TABLE)
  console.table(Object.fromEntries(names.map((name) => [name, SIZES.map((n) => value(n, name))])));

describe('a made-up home page of N = 5, 20, 80, 320 stories', () => {
  it.each(SIZES)('%i stories, identical => 0', (count) => expect(value(count, 'identical')).toBe(0));

  it.each(SIZES)('%i stories, lead replaced => at least .5', (count) =>
    expect(value(count, 'lead replaced')).toBeGreaterThanOrEqual(0.5),
  );

  it('lead replaced => the same within 20 %, however many stories there are', () => {
    const values = SIZES.map((count) => value(count, 'lead replaced'));
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    for (const one of values) expect(Math.abs(one / mean - 1)).toBeLessThanOrEqual(0.2);
  });

  it.each(SIZES)('%i stories, one word of the lead => at least 5 times a header clock', (count) =>
    expect(value(count, 'one word of the lead')).toBeGreaterThanOrEqual(5 * value(count, 'header clock')),
  );

  it.each([
    ['Minister wins the vote on the harbour bridge', 'Minister loses the vote on the harbour bridge'],
    ['Minister will sign the treaty on Monday', 'Minister will not sign the treaty on Monday'],
    ['Storm kills 12 people on the coast', 'Storm kills 120 people on the coast'],
  ])('the lead headline turned, “%s” → “%s” => at least .25, less than another lead', (before, after) => {
    for (const count of SIZES) {
      const page = homePage(count);
      const leadBy = (headline: string): HomePage => {
        const [lead, ...others] = page.stories as [HomePage['stories'][number]];
        return { ...page, stories: [{ ...lead, headline }, ...others] };
      };
      const turned = salienceOf(leadBy(before), leadBy(after)).value;
      expect(turned).toBeGreaterThanOrEqual(0.25);
      expect(turned).toBeLessThan(value(count, 'lead replaced'));
    }
  });

  it('the lead headline spelt otherwise => no news', () => {
    const page = homePage(20);
    const [lead, ...others] = page.stories as [HomePage['stories'][number]];
    const leadBy = (headline: string): HomePage => ({ ...page, stories: [{ ...lead, headline }, ...others] });
    const said = 'Minister to recieve the prize of the harbour town';
    expect(salienceOf(leadBy(said), leadBy(said.replace('recieve', 'receive'))).value).toBeLessThan(0.05);
  });

  it.each(SIZES)('%i stories, header clock => more than 0: it did change', (count) =>
    expect(value(count, 'header clock')).toBeGreaterThan(0),
  );

  it.each(SIZES)('%i stories, all time stamps => at most .05', (count) =>
    expect(value(count, 'all time stamps')).toBeLessThanOrEqual(0.05),
  );

  it.each(SIZES)('%i stories, advertisement alone => at most .02', (count) =>
    expect(value(count, 'advertisement alone')).toBeLessThanOrEqual(0.02),
  );

  it.each(SIZES)('%i stories, order reversed => less than lead replaced', (count) =>
    expect(value(count, 'order reversed')).toBeLessThan(value(count, 'lead replaced')),
  );

  it.each(
    SIZES.flatMap((count) =>
      (['all replaced', 'all gone', 'another site', 'an error page'] as const).map((name) => ({
        count,
        name,
      })),
    ),
  )('$count stories, $name => at least .9', ({ count, name }) =>
    expect(value(count, name)).toBeGreaterThanOrEqual(0.9),
  );

  it.each(SIZES)('%i stories, 1 to 4 of them replaced => never falls', (count) => {
    const page = homePage(count);
    const values = [0, 1, 2, 3, 4].map((replaced) => salienceOf(page, withReplaced(page, replaced)).value);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(new Set(values).size).toBe(values.length);
  });
});
