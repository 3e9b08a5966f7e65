import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digitsOf } from '../../web/format.ts';
import { hrefs } from '../../web/router.ts';
import {
  EVENING,
  HOSTILE,
  opened,
  seriousFindings,
  shot,
  type WebArchive,
  webArchive,
} from './web-archive.ts';

/** Each place of the web page and its main action, in a real browser: docs/web.md. */

let archive: WebArchive;
const front = (): string => `${archive.site.url}/`;

beforeAll(async () => {
  archive = await webArchive();
}, 240_000);
afterAll(() => archive?.close());

/** Each with something that is there once its answer is. */
const PLACES: readonly (readonly [name: string, hash: () => string, text: RegExp])[] = [
  ['today', () => hrefs.today, /The sea came over the wall/],
  ['sites', () => hrefs.sites, /3 pages/],
  ['site', () => hrefs.pages(archive.host), /Captures by day/],
  ['page', () => hrefs.captures(front()), /3 of 3/],
  ['compare', () => hrefs.compare(front(), '2000', '2100'), /What changed/],
  ['replay', () => hrefs.replay(front(), ''), /3 of 3/],
  ['search', () => hrefs.list('search', { q: 'harbour', in: 'changes' }), /harbour wall holds/],
  ['texts', () => hrefs.list('search', { q: 'harbour wall' }), /The harbour wall holds/],
  [
    'proof',
    () => hrefs.list('prove', { site: archive.host, phrase: 'sea', from: new Date().toISOString() }),
    /Signed with the key/,
  ],
  ['prove', () => hrefs.list('prove'), /Moments that can be proven/],
  ['crawls', () => hrefs.crawls, /finished/],
  ['crawl', () => hrefs.crawl(2), /Why it was fetched/],
  ['plan', () => hrefs.list('plan'), /Shares of the budget/],
  ['perimeter', () => hrefs.list('perimeter'), /No page was judged/],
  ['decisions', () => hrefs.list('decisions'), /Nothing was decided yet/],
  ['alerts', () => hrefs.list('alerts'), /floods/],
  ['lab', () => hrefs.list('lab'), /How much the last/],
  ['nowhere', () => '#/nowhere', /Nothing is here/],
];

describe('each place', () => {
  it.each(PLACES)(
    '%s => its answer, by its address alone; nothing serious for axe, nothing from elsewhere',
    async (name, hash, text) => {
      const { view, faults, strangers } = await opened(archive, hash());
      await expect.poll(() => view.textContent('main'), { timeout: 30_000 }).toMatch(text);
      // Charts and lists below come after the first answer.
      await view.waitForLoadState('load');
      await expect.poll(() => view.locator('main .loading').count(), { timeout: 30_000 }).toBe(0);
      await shot(view, name);
      expect(await seriousFindings(view)).toEqual([]);
      await view.setViewportSize({ width: 390, height: 800 });
      await shot(view, `${name}-phone`);
      expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect([faults, strangers]).toEqual([[], []]);
      await view.context().close();
    },
  );
});

describe('the ways through them', () => {
  it('keyboard alone: j and Enter, arrows, Back, / and words => comparison, versions, search', async () => {
    const { view, faults } = await opened(archive, hrefs.today);
    const { keyboard } = view;
    await view.locator('[data-row]').first().waitFor();
    await keyboard.press('j');
    await keyboard.press('Enter');
    await expect.poll(() => view.url()).toContain('#/compare?');
    await expect.poll(() => view.textContent('main')).toMatch(/The sea came over/);
    await view.goBack();
    await expect.poll(() => new URL(view.url()).hash).toMatch(/^(#\/)?$/);
    await view.goto(`${archive.url}/${hrefs.captures(front())}`);
    await expect.poll(() => view.textContent('div.chosen')).toMatch(/3 of 3/);
    await keyboard.press('ArrowLeft');
    await expect.poll(() => view.textContent('div.chosen')).toMatch(/2 of 3/);
    expect(view.url()).toContain('at=');
    await keyboard.press('?');
    await view.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await expect.poll(() => view.getByRole('dialog').count()).toBe(0);
    await keyboard.press('/');
    await keyboard.type('harbour');
    await keyboard.press('Enter');
    await expect.poll(() => view.url()).toContain('#/search?q=harbour');
    expect(faults).toEqual([]);
    await view.context().close();
  });

  it('compare => marks on both versions, the words that changed, slider and blink', async () => {
    const { view } = await opened(archive, hrefs.compare(front(), '2000', '2100'));
    await expect.poll(() => view.locator('.sides .mark').count()).toBeGreaterThan(1);
    expect(await view.textContent('.changes')).toMatch(/Sea wall breaks at dawn/);
    expect(await view.locator('.changes ins').count()).toBeGreaterThan(0);
    await view.getByRole('button', { name: 'Slider' }).click();
    await view.getByRole('slider').fill('10');
    await view.getByRole('button', { name: 'Blink' }).click();
    await expect.poll(() => view.locator('.one [role=status]').textContent()).toBe('After');
    await view.keyboard.press('b');
    await expect.poll(() => view.locator('.one [role=status]').textContent()).toBe('Before');
    await shot(view, 'compare-blink');
    await view.context().close();
  });

  it('an item of what changed => its block comes into view and stays marked: by pointer, by Enter, one version at a time', async () => {
    const { view } = await opened(archive, hrefs.compare(front(), '2000', '2100'), {
      viewport: { width: 1280, height: 320 },
      reducedMotion: 'reduce',
    });
    const item = view.locator('.changes li').filter({ hasText: 'Sea wall breaks at dawn' }).first();
    const isSeen = (): Promise<boolean> =>
      view
        .locator('.mark.hot')
        .last()
        .evaluate((mark) => {
          const { top, bottom } = mark.getBoundingClientRect();
          return top >= 0 && top < innerHeight && bottom > 0;
        });
    await item.click();
    await view.mouse.move(0, 0);
    expect(await isSeen()).toBe(true);
    await view.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await isSeen()).toBe(false);
    await item.getByRole('button').focus();
    await view.keyboard.press('Enter');
    expect(await isSeen()).toBe(true);
    for (const way of ['Slider', 'Blink']) {
      await view.getByRole('button', { name: way }).click();
      await view.evaluate('scrollTo(0, document.body.scrollHeight)');
      await item.click();
      await view.mouse.move(0, 0);
      expect(await isSeen()).toBe(true);
    }
    await view.context().close();
  });

  it('replay at a moment between two versions => how sure, the others one click away; links keep moment and choice', async () => {
    const listed = await fetch(`${archive.url}/api/captures?url=${encodeURIComponent(front())}`);
    const { rows } = (await listed.json()) as { rows: readonly { at: number }[] };
    const [first = 0, second = 0] = rows.map(({ at }) => at).sort((a, b) => a - b);
    const moment = digitsOf(Math.round((first + second) / 2));
    const { view, faults, strangers } = await opened(archive, hrefs.replay(front(), moment));
    const bar = view.getByRole('group', { name: 'Version for that moment' });
    const replayed = view.frameLocator('main iframe').frameLocator('iframe');
    await expect.poll(() => bar.textContent(), { timeout: 60_000 }).toMatch(/% sure.*% that none is right/s);
    expect(await bar.locator('[aria-current]').textContent()).toMatch(/Most likely \d+%/);
    for (const [name, choice, headline, position] of [
      ['Before', 'before', 'The harbour wall holds', '1 of 3'],
      ['After', 'after', 'Sea wall breaks at dawn', '2 of 3'],
    ] as const) {
      await bar.getByRole('link', { name }).click();
      await replayed.getByText(headline).waitFor({ timeout: 60_000 });
      expect(view.url()).toContain(`at=${moment}&choice=${choice}`);
      await expect.poll(() => view.textContent('main .steps'), { timeout: 30_000 }).toContain(position);
      await expect
        .poll(() => bar.textContent(), { timeout: 30_000 })
        .toMatch(new RegExp(`capture ${choice} was asked for`));
    }
    await shot(view, 'choice');
    expect(await seriousFindings(view)).toEqual([]);
    await view.setViewportSize({ width: 390, height: 800 });
    await shot(view, 'choice-phone');
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // On a phone the page has the room, and the slider the width.
    const height = (of: string): Promise<number> =>
      view.locator(of).evaluate((one) => one.getBoundingClientRect().height);
    expect((await height('.replay > .bar')) + (await height('.replay > .choice'))).toBeLessThan(230);
    expect(
      await view.getByRole('slider').evaluate((one) => one.getBoundingClientRect().width),
    ).toBeGreaterThan(200);
    await replayed.getByRole('link', { name: 'About' }).click();
    await replayed.getByText('since 1898').first().waitFor({ timeout: 60_000 });
    await expect.poll(() => view.url()).toMatch(new RegExp(`about&at=${moment}&choice=after`));
    await bar.getByLabel('One site capture').selectOption('1');
    await expect.poll(() => view.url()).toContain('choice=capture&crawl=1');
    await expect.poll(() => bar.textContent(), { timeout: 30_000 }).toMatch(/captured in crawl 1/);
    expect([faults, strangers]).toEqual([[], []]);
    await view.context().close();
  }, 240_000);

  it('Headlines of these days => each once, when it was seen, and the archived article', async () => {
    const { view, faults } = await opened(archive, hrefs.captures(front()));
    await view.getByRole('link', { name: 'Headlines of these days' }).click();
    await expect.poll(() => view.url()).toMatch(/#\/digest\?.*from=.*&to=/);
    const headline = view.getByRole('link', { name: 'Tide tables of the week' });
    await headline.waitFor({ timeout: 30_000 });
    const told = view.locator('main li', { has: headline });
    expect(await told.textContent()).toMatch(/first seen.*last seen.*still there at the end/s);
    await shot(view, 'digest');
    expect(await seriousFindings(view)).toEqual([]);
    await view.setViewportSize({ width: 390, height: 800 });
    await shot(view, 'digest-phone');
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const feed = await view.getByRole('link', { name: 'As a feed' }).getAttribute('href');
    expect(await (await fetch(`${archive.url}${feed}`)).text()).toContain('Tide tables of the week');
    await headline.click();
    await expect.poll(() => view.url()).toMatch(/#\/replay\?url=.*about/);
    expect(faults).toEqual([]);
    await view.context().close();
  });

  it('a passage that was found => the version in which it stands, and what came with it', async () => {
    const { view } = await opened(archive, hrefs.list('search', { q: 'Sea wall breaks' }));
    await view.locator('[data-row]').first().waitFor({ timeout: 30_000 });
    await view.locator('[data-row] p.small a').first().click();
    await expect.poll(() => view.textContent('.changes'), { timeout: 30_000 }).toMatch(/Sea wall breaks/);
    await view.goBack();
    await view.locator('[data-row] .row-link').first().click();
    const replayed = view.frameLocator('main iframe').frameLocator('iframe');
    await replayed.getByText('Sea wall breaks at dawn').first().waitFor({ timeout: 60_000 });
    await view.context().close();
  });

  it('a page with a title => headed by it, its address below; the same of its comparisons', async () => {
    const { view } = await opened(archive, hrefs.captures(front()));
    await expect.poll(() => view.textContent('h1')).toBe('The Quay');
    expect(await view.textContent('main')).toContain(`${archive.host}/`);
    await view.goto(`${archive.url}/${hrefs.compare(front(), '2000', '2100')}`);
    await expect.poll(() => view.textContent('h1')).toBe('What changed on The Quay');
    await view.context().close();
  });

  it('a hostile title, text and link => text alone, in lists, on its page and in search', async () => {
    const { view, faults } = await opened(archive, hrefs.pages(archive.host, { q: 'evil' }));
    await expect.poll(() => view.textContent('main')).toContain(HOSTILE);
    const harm = `({ hacked: window.hacked, images: document.querySelectorAll('img[src="x"]').length,
      links: [...document.querySelectorAll('a')].filter((a) => /^javascript:/i.test(a.href)).length })`;
    const none = { hacked: undefined, images: 0, links: 0 };
    expect(await view.evaluate(harm)).toEqual(none);
    for (const hash of [
      hrefs.captures('javascript:window.hacked=1'),
      hrefs.captures(`${archive.site.url}/evil`),
    ]) {
      await view.goto(`${archive.url}/${hash}`);
      await view.locator('h1').waitFor();
      await expect.poll(() => view.locator('main .loading').count()).toBe(0);
      expect(await view.evaluate(harm)).toEqual(none);
    }
    expect(faults).toEqual([]);
    await view.context().close();
  });

  it('Watch this page => a decision with who and why, at the page and in the list', async () => {
    const { view } = await opened(archive, hrefs.captures(`${archive.site.url}/about`));
    await view.getByRole('button', { name: 'Watch this page' }).click();
    await view.getByLabel('Who').fill('Anna');
    await view.getByLabel('Why').fill('cited in court');
    await view.getByRole('dialog').getByRole('button', { name: 'Decide' }).click();
    await view.getByText('It is heeded once a watch runs').waitFor();
    expect(await view.getByRole('button', { name: 'Visit now' }).count()).toBe(0);
    await view.goto(`${archive.url}/${hrefs.list('decisions')}`);
    await expect.poll(() => view.textContent('main')).toMatch(/every 1 d.*cited in court.*Anna/s);
    await shot(view, 'decided');
    await view.context().close();
  });

  it('Archive a site, by an address of loopback without a scheme => the crawl begins over http, and its page shows the pages as they come', async () => {
    const { view, faults } = await opened(archive, hrefs.crawls);
    // The site answers when somebody watches: it would be over before.
    const held: (() => void)[] = [];
    const later = (body: string) => (_: unknown, response: { end(body: string): void }) =>
      void held.push(() => response.end(body));
    archive.site.become({
      ...EVENING,
      '/about': later('<title>Late</title><h1>Late</h1>'),
      '/evil': later(''),
    });
    await view.getByRole('button', { name: 'Archive a site' }).click();
    await view.getByLabel('Address').fill(`${archive.site.url.replace('http://', '')}/`);
    await view.getByLabel('Browser').selectOption('always');
    await view.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await expect.poll(() => view.url(), { timeout: 60_000 }).toMatch(/#\/crawl\?id=3/);
    await view.locator('.live').waitFor({ timeout: 60_000 });
    await expect.poll(() => held.length, { timeout: 60_000 }).toBeGreaterThan(0);
    archive.site.become(EVENING);
    for (const release of held) release();
    await expect.poll(() => view.locator('.arrivals li').count(), { timeout: 90_000 }).toBeGreaterThan(0);
    await expect.poll(() => view.locator('.arrivals img').count()).toBeGreaterThan(0);
    await expect.poll(() => view.textContent('.summary'), { timeout: 90_000 }).toMatch(/finished/);
    await shot(view, 'live');
    expect(faults).toEqual([]);
    await view.context().close();
  }, 240_000);

  it('a rule tried on the past => what it would have told, and where', async () => {
    const { view } = await opened(archive, hrefs.list('alerts'));
    await view.getByLabel('Salience at least').fill('0.1');
    await view.getByRole('button', { name: 'Try' }).click();
    await expect
      .poll(() => view.textContent('.dry'), { timeout: 60_000 })
      .toMatch(/would have told \d+ alert/);
    expect(await view.locator('.dry li a').first().getAttribute('href')).toBe(hrefs.captures(front()));
    await view.context().close();
  });

  it('an address that cannot be archived => said in the dialog, which stays', async () => {
    const { view } = await opened(archive, hrefs.today);
    await view.getByRole('button', { name: 'Archive a site' }).click();
    await view.getByLabel('Address').fill('not an address');
    await view.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await expect.poll(() => view.getByRole('dialog').getByRole('alert').textContent()).toMatch(/address/);
    await view.context().close();
  });

  it('a browser that wants German => German, with the same answers', async () => {
    const { view } = await opened(archive, hrefs.today, { locale: 'de-AT' });
    await expect.poll(() => view.textContent('nav')).toMatch(/Heute/);
    await expect.poll(() => view.textContent('main')).toMatch(/The sea came over/);
    expect(await view.getAttribute('html', 'lang')).toBe('de');
    await view.context().close();
  });
});
