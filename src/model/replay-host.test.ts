import { describe, expect, it } from 'vitest';
import { replayOrigin, siteLabel, viewOf } from './replay-host.ts';
import { viewOfChoice } from './version-choice.ts';

describe('replay hosts', () => {
  it('one label per site: www and scheme do not matter, port and host do', async () => {
    const label = await siteLabel('http://example.org/a', 'v1');
    expect(label).toMatch(/^example-org-[0-9a-f]{20}-v1$/);
    expect(await siteLabel('https://www.example.org/b', 'v1')).toBe(label);
    for (const other of ['http://example.org:81/', 'http://example-org/', 'http://a.example.org/']) {
      expect(await siteLabel(other, 'v1')).not.toBe(label);
    }
    expect(await siteLabel('about:blank', 'v1')).toBeUndefined();
  });

  it('any host => one valid label of 63 characters at most', async () => {
    const hosts = ['xn--mnchen-3ya.de', '[::1]:8080', `${'a'.repeat(60)}.${'b'.repeat(60)}.org`, '--.org'];
    const views = ['k3x9k3x9', viewOfChoice('k3x9k3x9', { choice: 'capture', crawl: 999_999_999 })];
    for (const [host, view] of hosts.flatMap((one) => views.map((view) => [one, view] as const))) {
      const label = (await siteLabel(`http://${host}/`, view)) ?? '';
      expect(label).toMatch(/^[a-z0-9](?:[a-z0-9]|-(?!-)){1,61}[a-z0-9]$/);
      expect(viewOf(`${label}.localhost`)).toBe(view);
    }
  });

  it('without scripts => one host; without a wildcard => the one origin', async () => {
    const page = { url: 'http://x.org/', view: 'v', scripts: false };
    expect(await replayOrigin('http://*.localhost:2', page)).toBe('http://still-v.localhost:2');
    expect(await replayOrigin('https://r.org', page)).toBe('https://r.org');
  });
});
