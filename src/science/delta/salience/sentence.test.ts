import { expect, it } from 'vitest';
import {
  drawHomePage,
  HAPPENED,
  type Happening,
  homePage,
  withReplaced,
} from '../../../../test/home-page.ts';
import type { Layout } from '../../../model/layout.ts';
import { pageLayout } from '../../layout/page-layout.ts';
import { diffLayouts } from '../diff-layouts.ts';
import { changeSalience } from './salience.ts';

it('7 of 80 stories replaced => the first of them and how many, not that the page changed throughout', () => {
  const page = homePage(80);
  const [old, now] = [page, withReplaced(page, 7)].map(
    (one, i) => pageLayout(drawHomePage(one), { version: `v${i}` }).layout,
  ) as [Layout, Layout];
  const { why } = changeSalience({ old, new: now, delta: diffLayouts(old, now) });
  expect(why).toMatch(/; in all \d+ headlines new and \d+ gone$/u);
  expect(why).not.toContain('throughout');
});

it.each([
  ['identical', /^nothing that a reader would notice changed$/u],
  ['lead replaced', /^the lead story was replaced: “/u],
  ['one word of the lead', /^the lead story was reworded: “.*” → “.*Samarkand”$/u],
  ['header clock', /^only times, counts or the like changed$/u],
  ['all time stamps', /^only times, counts or the like changed$/u],
  ['advertisement alone', /^only advertisements changed$/u],
  ['order reversed', /^only the order changed/u],
  ['all replaced', /^the page changed throughout, \d+ headlines new and \d+ gone: “/u],
  ['all gone', /^the page changed throughout, \d+ headlines gone and none new: “/u],
] as [Happening, RegExp][])('%s => %s', (name, sentence) => {
  const page = homePage(20);
  const [old, now] = [page, HAPPENED[name](page)].map(
    (one, i) => pageLayout(drawHomePage(one), { version: `v${i}` }).layout,
  ) as [ReturnType<typeof pageLayout>['layout'], ReturnType<typeof pageLayout>['layout']];
  const { why } = changeSalience({ old, new: now, delta: diffLayouts(old, now) });
  expect(why).toMatch(sentence);
});
