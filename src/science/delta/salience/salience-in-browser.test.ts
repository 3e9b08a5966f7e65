import { describe, expect, it } from 'vitest';
import { HAPPENED, type Happening, homePage, homePageHtml } from '../../../../test/home-page.ts';
import { snapshotOf, useViewer } from '../../../../test/viewed-page.ts';
import type { Layout } from '../../../model/layout.ts';
import { pageLayout } from '../../layout/page-layout.ts';
import { diffLayouts } from '../diff-layouts.ts';
import { changeSalience } from './salience.ts';

useViewer();

/** The extreme cases of the table, as Chromium lays the pages out. */
describe.each([5, 80])('a made-up home page of %i stories in a browser', (count) => {
  const salienceOf = async (name: Happening): Promise<number> => {
    const page = homePage(count);
    const layout = async (html: string, version: string): Promise<Layout> =>
      pageLayout(await snapshotOf(html), { version }).layout;
    const old = await layout(homePageHtml(page), 'v1');
    const now = await layout(homePageHtml(HAPPENED[name](page)), 'v2');
    return changeSalience({ old, new: now, delta: diffLayouts(old, now) }).value;
  };

  it('lead replaced at least .5, above order reversed; one word of it at least 5 times the clock', async () => {
    const lead = await salienceOf('lead replaced');
    expect(lead).toBeGreaterThanOrEqual(0.5);
    expect(await salienceOf('order reversed')).toBeLessThan(lead);
    expect(await salienceOf('one word of the lead')).toBeGreaterThanOrEqual(
      5 * (await salienceOf('header clock')),
    );
  });

  it('all time stamps at most .05, advertisement at most .02, identical 0', async () => {
    expect(await salienceOf('all time stamps')).toBeLessThanOrEqual(0.05);
    expect(await salienceOf('advertisement alone')).toBeLessThanOrEqual(0.02);
    expect(await salienceOf('identical')).toBe(0);
  });

  it('all replaced, all gone, another site, an error page at least .9', async () => {
    for (const name of ['all replaced', 'all gone', 'another site', 'an error page'] as const)
      expect(await salienceOf(name)).toBeGreaterThanOrEqual(0.9);
  });
});
