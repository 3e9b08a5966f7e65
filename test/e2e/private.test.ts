import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { daguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** The guard at the connection itself, its DNS rebinding included: src/capture/http, src/capture/browser. */

let site: SmallSite;
/** Where IPv6 is off there is nothing to listen on; the refusal comes before that. */
let six: SmallSite | undefined;
beforeAll(async () => {
  const answers = { '/': page('Secret') };
  site = await startSite(answers);
  six = await startSite(answers, '::1').catch(() => undefined);
});
afterAll(() => Promise.all([site.close(), six?.close()]));

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: the guard around the browser, because there is no Chromium');

async function refused(seed: string, ...flags: string[]): Promise<void> {
  const archive = await temporaryFolder();
  const args = ['archive', seed, '--archive', archive, '--delay', '0', '--json', ...flags];
  const { code, json, stderr } = await daguerre(args);
  expect(stderr).not.toContain('Error');
  expect(code).toBe(3);
  expect(json()).toMatchObject({ captured: 0, failed: 1, failures: { 'private-address': 1 } });
  const [visit] = await withCatalog(archive, (catalog) => catalog.visits({ outcome: 'failed' }));
  expect(visit).toMatchObject({ url: seed, fault: { kind: 'private-address' } });
  expect(visit?.fault?.detail).toContain('--allow-private');
  expect([site.connections, six?.connections ?? 0]).toEqual([0, 0]);
}

describe('without --allow-private => refused, exit code 3, the server saw no connection', () => {
  it('http://127.0.0.1', () => refused(`${site.url}/`, '--render', 'never'));
  it('http://localhost', () => refused(`http://localhost:${site.port}/`, '--render', 'never'));
  it('http://[::1]', () => refused(`http://[::1]:${six?.port ?? 9}/`, '--render', 'never'));
  it('http://[::ffff:127.0.0.1], robots.txt not asked first', () =>
    refused(`http://[::ffff:7f00:1]:${site.port}/`, '--render', 'never', '--no-robots'));
});

describe.skipIf(noChromium)('without --allow-private, asked by the browser => the same', () => {
  it('http://127.0.0.1', () => refused(`${site.url}/`, '--render', 'always', '--no-robots'));
  it('http://localhost', () =>
    refused(`http://localhost:${site.port}/`, '--render', 'always', '--no-robots'));
});
