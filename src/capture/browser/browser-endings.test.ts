import { describe, expect, test } from 'vitest';
import { bodyOf, exchangeOf, pathsOf, render, site, useRenderer } from '../../../test/rendered-site.ts';
import { servePages } from '../../../test/sites/pages/serve-pages.ts';
import { header } from '../../model/exchange.ts';

useRenderer();

describe('navigation', () => {
  test('301, 302, page => three exchanges, redirects without body', async () => {
    const rendering = await render('/redirect-1');
    expect(rendering.exchanges.slice(0, 3).map(({ url, response }) => [url, response.status])).toEqual([
      [`${site.base}/redirect-1`, 301],
      [`${site.base}/redirect-2`, 302],
      [`${site.base}/simple.html`, 200],
    ]);
    const [first] = rendering.exchanges;
    expect(header(first?.response.headers ?? [], 'set-cookie')).toBe('hop=1');
    expect(first?.response.body.size).toBe(0);
    expect(rendering.finalUrl).toBe(`${site.base}/simple.html`);
  });

  test.each(['/script-redirect.html', '/meta-refresh.html'])('%s => followed to the end', async (page) => {
    const rendering = await render(page);
    expect(rendering.finalUrl).toBe(`${site.base}/simple.html`);
    expect(rendering.text).toContain('Simple');
  });

  test('a page that leaves for ever => held after a few', async () => {
    const rendering = await render('/restless.html');
    expect(rendering.title).toBe('restless');
    expect(rendering.facts.some((fact) => fact.startsWith('the page was kept from leaving'))).toBe(true);
    expect(site.asked.length).toBeLessThan(12);
  });

  test('204 => the exchange, no text, and a fact', async () => {
    const rendering = await render('/no-content');
    expect(rendering.exchanges.map(({ response }) => response.status)).toEqual([204]);
    expect(rendering.facts).toContain('the answer is no page: nothing to show');
  });

  test('nothing listens => connection-refused', async () => {
    const gone = await servePages();
    gone.close();
    await expect(render('', { url: `${gone.base}/` })).rejects.toMatchObject({ kind: 'connection-refused' });
  });

  test('ftp URL => unsupported-url', async () => {
    await expect(render('', { url: 'ftp://127.0.0.1/' })).rejects.toMatchObject({ kind: 'unsupported-url' });
  });

  test('a page that asks not to be left => the next page works', async () => {
    expect((await render('/leaves.html')).title).toBe('leaves');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });
});

describe('pages that never end', () => {
  test('alert loop => dismissed, then scripts stopped; the page is kept', async () => {
    const rendering = await render('/alert-loop.html');
    expect(rendering.text).toContain('Before the alerts.');
    expect(rendering.facts).toContain('dialog dismissed: alert "again"');
    expect(rendering.facts).toContain('scripts were stopped: 10 dialogs');
  });

  test('for (;;) {} => script stopped, text, links and picture kept; the next page works', async () => {
    const rendering = await render('/endless-script.html', { timeLimit: 10_000, screenshots: true });
    expect(rendering.text).toContain('Before the loop.');
    expect(rendering.links).toEqual([`${site.base}/after-loop`]);
    expect(rendering.view).toBeDefined();
    expect(rendering.facts).toContain('scripts were stopped: a script ran without end');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('server-sent events and a dripping fetch => what came, truncated: time; the page saw the event', async () => {
    const rendering = await render('/endless-answers.html', { timeLimit: 10_000 });
    expect(rendering.text).toBe('heard');
    const events = exchangeOf(rendering, '/events');
    expect(events.truncated).toBe('time');
    expect((await bodyOf(events)).toString()).toBe('data: heard\n\n');
    const drip = exchangeOf(rendering, '/drip');
    expect([(await bodyOf(drip)).toString(), drip.truncated]).toEqual(['drop', 'time']);
  });

  test('endless scroll => stopped, and said', async () => {
    const { facts } = await render('/endless-scroll.html');
    // After 40 screens, or fewer where the machine needs 5 s for them.
    const said = expect.stringMatching(/^scrolling stopped after \d+ screens: the page goes on$/);
    expect(facts).toContainEqual(said);
  });

  test('a server that never answers => browser-hang; the next page works', async () => {
    await expect(render('/never', { timeLimit: 1000 })).rejects.toMatchObject({ kind: 'browser-hang' });
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('a synchronous XHR that is never answered: nothing can stop it => what there is, with the fact', async () => {
    const rendering = await render('/stuck.html', { timeLimit: 2000 });
    expect(pathsOf(rendering)).toEqual(['/stuck.html', '/1.png']);
    expect(rendering.text).toBe('');
    expect(rendering.facts).toContain('time limit reached (step: settle)');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('abort => the reason of the signal', async () => {
    const abort = new AbortController();
    const rendering = render('/never', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(rendering).rejects.toThrow('enough');
  });
});
