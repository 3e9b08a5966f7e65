import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hrefs } from '../../web/router.ts';
import { daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';
import { opened, seriousFindings, servedToWeb, shot, type WebArchive } from './web-archive.ts';

/** Several people with their roles before one archive, each in a browser of their own. */

const PEOPLE = { anna: 'editor', bert: 'editor', rita: 'reader', otto: 'admin' } as const;
type Name = keyof typeof PEOPLE;
const tokenOf = (name: Name): string => `the-long-token-of-${name}`;
const READ = { timeout: 60_000 };

let site: SmallSite;
let archive: WebArchive;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const place = join(folder, 'archive');
  site = await startSite({ '/': page('Home', ['/about', '/gone']), '/about': page('About') });
  const { code, stderr } = await daguerre(['archive', `${site.url}/`, '--archive', place, ...FAST]);
  if (code !== 0) throw new Error(stderr);
  const names = Object.keys(PEOPLE) as Name[];
  const tokens = names.map(
    (name) => `  - { name: ${name}, role: ${PEOPLE[name]}, token: env:TOKEN_${name} }\n`,
  );
  archive = await servedToWeb({
    ...{ folder, archive: place, site, more: `tokens:\n${tokens.join('')}` },
    env: Object.fromEntries(names.map((name) => [`TOKEN_${name}`, tokenOf(name)])),
  });
}, 240_000);
afterAll(() => archive?.close());

async function openedBy(name: Name, hash: string, width = 1280): Promise<Page> {
  const { view } = await opened(archive, hash, { viewport: { width, height: 900 } });
  await view.getByLabel('Token').fill(tokenOf(name));
  await view.keyboard.press('Enter');
  await view.locator('#find').waitFor(READ);
  return view;
}

const decideOf = (view: Page) => view.locator('form.decide');

async function decides(view: Page, act: string, why: string): Promise<void> {
  await decideOf(view).locator('select').first().selectOption(act);
  await decideOf(view).getByLabel('Why').fill(why);
  await decideOf(view).locator('button.main').click();
}

describe('two editors', () => {
  it.each(['with the target in the address', 'with a target written by hand'])(
    '%s => the second is told what the first decided, and decides again',
    async (how) => {
      const isGiven = how.includes('address');
      const target = isGiven ? archive.host : `${archive.host}/about`;
      const hash = hrefs.list('decisions', isGiven ? { target } : {});
      const [anna, bert] = [await openedBy('anna', hash), await openedBy('bert', hash)];
      for (const view of [anna, bert])
        await view
          .getByText('Nothing was decided yet')
          .or(view.locator('li.holds').first())
          .first()
          .waitFor(READ);
      if (!isGiven)
        for (const view of [anna, bert]) await decideOf(view).getByLabel('Page, site').fill(target);
      const asked: (string | undefined)[] = [];
      bert.on('request', (request) => {
        if (request.method() === 'POST') asked.push(request.headers()['if-match']);
      });
      await decides(anna, 'in', `a source of record, ${how}`);
      await anna.getByText(`a source of record, ${how}`).waitFor(READ);
      await decides(bert, 'out', `an advertisement, ${how}`);
      const told = bert.getByRole('alert');
      await expect
        .poll(() => told.textContent(), READ)
        .toMatch(
          new RegExp(`Somebody else has decided.*in.*decided by anna: a source of record, ${how}`, 's'),
        );
      // What was written is kept, and nothing of it is saved.
      expect(await decideOf(bert).getByLabel('Why').inputValue()).toBe(`an advertisement, ${how}`);
      expect(await bert.locator('ul.cards').textContent()).not.toContain(`an advertisement, ${how}`);
      await shot(bert, `second-editor-${isGiven ? 'given' : 'written'}`);
      expect(await seriousFindings(bert)).toEqual([]);
      await bert.setViewportSize({ width: 390, height: 800 });
      await shot(bert, 'second-editor-phone');
      expect(await bert.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await bert.getByRole('button', { name: 'Decide all the same' }).click();
      await bert.locator('ul.cards').getByText(`an advertisement, ${how}`).waitFor(READ);
      expect(await told.count()).toBe(0);
      expect(asked.every((stamp) => /^"[^"]+"$/.test(stamp ?? ''))).toBe(true);
      expect(asked.length).toBeGreaterThan(0);
      await anna.context().close();
      await bert.context().close();
    },
    120_000,
  );

  it('the session ended meanwhile => log in over the page, and what was written is saved', async () => {
    const view = await openedBy('anna', hrefs.list('decisions', { target: `${archive.host}/ended` }));
    await view.context().clearCookies();
    await decides(view, 'pin', 'written before the session ended');
    await expect
      .poll(() => decideOf(view).getByRole('alert').textContent(), READ)
      .toMatch(/Your session has ended/);
    await decideOf(view).getByRole('alert').getByRole('button', { name: 'Log in' }).click();
    await view.getByRole('dialog').getByLabel('Token').fill(tokenOf('anna'));
    await view.keyboard.press('Enter');
    await expect.poll(() => view.getByRole('dialog').count(), READ).toBe(0);
    await decideOf(view).locator('button.main').click();
    await view.locator('ul.cards').getByText('written before the session ended').waitFor(READ);
    await view.context().close();
  }, 120_000);

  it('one after the other, in one form => no word of oneself', async () => {
    const target = `${archive.host}/gone`;
    const view = await openedBy('anna', hrefs.list('decisions', { target }));
    for (const why of ['cited in court', 'cited again']) {
      await decides(view, 'pin', why);
      await view.locator('ul.cards').getByText(why).waitFor(READ);
    }
    expect(await view.getByRole('alert').count()).toBe(0);
    await view.context().close();
  }, 120_000);
});

describe('roles', () => {
  it('a reader => is named with the role, is offered nothing that is refused, and logs out', async () => {
    const view = await openedBy('rita', hrefs.today);
    const who = view.locator('nav .who');
    await expect.poll(() => who.textContent(), READ).toMatch(/Logged in as\s+rita\s+reader/);
    expect(await view.getByRole('button', { name: 'Archive a site' }).isDisabled()).toBe(true);
    expect(await view.locator('nav').first().textContent()).toMatch(/takes the role “administrator”/);
    await shot(view, 'reader');
    expect(await seriousFindings(view)).toEqual([]);
    const refused: string[] = [];
    view.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    for (const [hash, there] of [
      [hrefs.captures(`${site.url}/`), /Versions/],
      [hrefs.crawl(1), /What replay shows/],
      [hrefs.crawls, /finished/],
      [hrefs.pages(archive.host), /Decisions/],
      [hrefs.list('decisions', { target: archive.host }), /takes the role “editor”/],
      [hrefs.list('alerts'), /takes the role “editor”/],
    ] as const) {
      await view.goto(`${archive.url}/${hash}`);
      await expect.poll(() => view.textContent('main'), READ).toMatch(there);
      await expect.poll(() => view.locator('main .loading').count(), READ).toBe(0);
      const offered = view
        .locator('main')
        .getByRole('button', { name: /^(Decide|Check|Try|Watch|Stop|Resume|Run the failed)/ });
      expect([hash, await offered.count()]).toEqual([hash, 0]);
    }
    expect(refused).toEqual([]);
    await view.setViewportSize({ width: 390, height: 800 });
    await view.getByRole('button', { name: 'Places' }).click();
    await shot(view, 'reader-phone');
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await view.getByRole('button', { name: 'Log out' }).click();
    await view.getByLabel('Token').waitFor(READ);
    expect((await view.request.get(`${archive.url}/api/sites`)).status()).toBe(401);
    await view.context().close();
  }, 120_000);

  it('an editor => decides under their own name, which stands there; an administrator archives', async () => {
    const anna = await openedBy('anna', hrefs.captures(`${site.url}/`));
    await anna.getByRole('button', { name: 'Watch this page' }).click();
    const by = anna.getByLabel('Who');
    expect([await by.inputValue(), await by.getAttribute('readonly')]).toEqual(['anna', '']);
    expect(await seriousFindings(anna)).toEqual([]);
    await anna.context().close();
    const otto = await openedBy('otto', hrefs.today);
    expect(await otto.getByRole('button', { name: 'Archive a site' }).isDisabled()).toBe(false);
    await otto.context().close();
  }, 120_000);
});
