import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { productToken } from '../../capture/robots/robots.ts';
import { CRAWL_SETTINGS, crawlSpec } from './crawl-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'daguerre-'));
afterAll(() => rmSync(folder, { recursive: true }));
const spec = (given: object) => crawlSpec(CRAWL_SETTINGS.parse(given));
const fault = (given: object): string => CRAWL_SETTINGS.safeParse(given).error?.issues[0]?.message ?? '';
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('nothing given => the spec says nothing of pages, as before', () => {
  expect(spec({})).not.toHaveProperty('page');
  expect(spec({ behaviors: 'autoscroll', screenshot: 'view' })).not.toHaveProperty('page');
});

test('names with commas, or lists; none => nothing at all', () => {
  expect(spec({ behaviors: 'autoscroll, autoplay,loadMore' }).page?.behaviors).toEqual([
    ...['autoscroll', 'autoplay', 'loadMore'],
  ]);
  expect(spec({ behaviors: ['autofetch', 'autoclick'] }).page?.behaviors).toEqual(['autofetch', 'autoclick']);
  expect(spec({ behaviors: 'none', screenshot: 'none' }).page).toMatchObject({
    behaviors: [],
    screenshots: [],
  });
});

test("a script of one's own => its text is in the spec, under its name alone", () => {
  const script = "await fetch('/x');";
  expect(spec({ behavior: file('own.js', script) }).page?.behaviors).toEqual([
    'autoscroll',
    { name: 'own.js', script },
  ]);
});

test.each([
  [{ behaviors: 'autoscrol' }, "'autoscrol' is none of: autoscroll, autoplay"],
  [{ screenshot: 'full' }, "'full' is none of: view, fullPage, none"],
  [{ device: 'Nokia 3310' }, "no device is named 'Nokia 3310'; known are Pixel 9"],
  [{ lang: 'not a language' }, "'not a language' is no language; write e.g. de, or fr-CH"],
  [{ behavior: '/no/such/file.js' }, "'/no/such/file.js' cannot be used: ENOENT"],
])('%o => %s', (given, message) => {
  expect(fault(given)).toContain(message);
});

test('a script that cannot be read => said before the crawl begins', () => {
  expect(fault({ behavior: file('broken.js', 'if (') })).toMatch(/broken\.js' cannot be used: Unexpected/);
});

test('a phone => a user agent of a phone, that says who we are; robots.txt knows us', () => {
  const { userAgent } = spec({ device: 'pixel 9', contact: 'me@example.org' }).politeness;
  expect(userAgent).toMatch(
    /^Mozilla\/5\.0 \(Linux; Android 15; Pixel 9; compatible; Daguerre\/.*me@example\.org\).*Mobile/,
  );
  expect(productToken(userAgent)).toBe('daguerre');
  expect(spec({ device: 'Desktop' }).politeness.userAgent).toBe(spec({}).politeness.userAgent);
});
