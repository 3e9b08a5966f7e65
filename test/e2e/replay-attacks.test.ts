import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../src/access/replay-url.ts';
import { shown } from './replay-browser.ts';
import { server, T, useReplay, victimHits, victimUrl, visiting } from './replayed-site.ts';

useReplay();

describe('an archived script that attacks', () => {
  /** Runs as the archived page itself does: in its frame, on its origin. */
  const attack = (visit: (frame: Frame) => Promise<void>) =>
    visiting('http://evil.example/', T, async ({ tab, strays }) => {
      const frame = await shown(tab, 'http://evil.example/', 'evil');
      await visit(frame);
      // Requests that the policy refused are announced all the same; what counts is that none arrived.
      strays.length = 0;
    });
  const blocked = (code: string): string =>
    `(async () => { try { return String(await (${code})()); } catch (error) { return 'blocked'; } })()`;

  it('the victim answers whoever reaches it', async () => {
    expect(await (await fetch(`${victimUrl}/control`)).text()).toBe('READ');
    expect(victimHits.splice(0)).toEqual(['/control']);
  });

  it('fetch of the API of the web page => not its content', () =>
    attack(async (frame) => {
      const api = `${server.url}/api/sites`;
      const text = await frame.evaluate(blocked(`async () => (await fetch('${api}')).text()`));
      expect(text).not.toContain('evil.example","pages');
      // The untouched fetch of the loader, which shares the origin.
      const real = `async () => (await window.__WB_top_frame.fetch('${api}')).text()`;
      expect(await frame.evaluate(blocked(real))).toBe('blocked');
      const opaque = `async () => (await window.__WB_top_frame.fetch('${api}', { mode: 'no-cors' })).type`;
      expect(await frame.evaluate(blocked(opaque))).toBe('blocked');
    }));

  it('parent of the loader, top navigation => refused', () =>
    attack(async (frame) => {
      const parent = `async () => window.__WB_top_frame.parent.document.title`;
      expect(await frame.evaluate(blocked(parent))).toBe('blocked');
      const top = `async () => { window.__WB_top_frame.parent.location.href = '${victimUrl}/top'; return 'set'; }`;
      expect(await frame.evaluate(blocked(top))).toBe('blocked');
    }));

  it('image, socket, beacon, import, frame, worker told to load elsewhere => nothing reaches the live web', () =>
    attack(async (frame) => {
      const real = 'window.__WB_top_frame';
      const socketUrl = victimUrl.replace('http', 'ws');
      await frame.evaluate(`(async () => {
        const attempts = [
          () => new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = '${victimUrl}/image'; }),
          () => new Promise((done) => { const s = new WebSocket('${socketUrl}/socket'); s.onopen = s.onerror = done; }),
          () => new Promise((done) => { const s = new WebSocket.prototype.constructor('${socketUrl}/untouched'); s.onopen = s.onerror = done; }),
          () => new Promise((done) => { const s = new ${real}.WebSocket('${socketUrl}/loader'); s.onopen = s.onerror = done; }),
          () => navigator.sendBeacon('${victimUrl}/beacon', 'x'),
          () => ${real}.fetch('${victimUrl}/fetch', { mode: 'no-cors' }),
          () => (0, eval)('im' + 'port("${victimUrl}/module")'),
          () => new Promise((done) => { const f = document.createElement('iframe'); f.onload = done; f.src = '${victimUrl}/frame'; document.body.append(f); setTimeout(done, 500); }),
          () => new Promise((done) => {
            const container = ${real}.navigator.serviceWorker;
            container.addEventListener('message', done);
            setTimeout(done, 2000);
            container.ready.then(({ active }) => active.postMessage({ msg_type: 'addColl', name: 'live', type: 'live',
              file: { sourceUrl: 'proxy:${victimUrl}/' }, extraConfig: { prefix: '${victimUrl}/', isLive: true } }));
          }).then(() => ${real}.fetch('/w/live/2024mp_/http://live.example/')),
        ];
        for (const attempt of attempts) { try { await attempt(); } catch {} }
      })()`);
      expect(victimHits).toEqual([]);
    }));

  it('a document that wabac does not rewrite => shown, but its script does not run', () =>
    visiting('http://evil.example/drawing.svg', T, async ({ tab }) => {
      const drawn = (): Frame | undefined =>
        tab.frames().find((one) => /\/w\/.*\/drawing\.svg$/.test(one.url()));
      await expect.poll(() => drawn()?.textContent('#drawn'), { timeout: 20_000 }).toBe('drawn');
      expect(await drawn()?.getAttribute('svg', 'data-ran')).toBeNull();
      expect(victimHits).toEqual([]);
    }));

  it('WebRTC => taken away from the page, the loader and a fresh frame', () =>
    attack(async (frame) => {
      const found = await frame.evaluate(`(() => {
        const real = Function('return window')();
        document.body.append(document.createElement('iframe'));
        return [real, real.parent, real[real.length - 1]].map((realm) => typeof realm.RTCPeerConnection);
      })()`);
      expect(found).toEqual(['undefined', 'undefined', 'undefined']);
    }));

  it('an archived script as service worker of the origin => refused', () =>
    attack(async (frame) => {
      const script = `/archive/${formatTimestamp(T)}id_/http://evil.example/sw.js`;
      const register = `async () => (await window.__WB_top_frame.navigator.serviceWorker.register('${script}')).scope`;
      expect(await frame.evaluate(blocked(register))).toBe('blocked');
    }));
});
