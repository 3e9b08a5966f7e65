import { describe, expect, it } from 'vitest';
import type { Millis } from '../../model/time.ts';
import type { PlannedCapture, PlannedVisit, SeenVisit, Signal, WatchedPage } from '../../model/watch.ts';
import type { KeptWatch, WatchedSite, WatchPorts } from './ports.ts';
import type { WatchSettings } from './watch.ts';
import { openWatch } from './watch-loop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SETTINGS: WatchSettings = { budget: { requestsPerHour: 12 }, shares: { audit: 0 } };

/** A small world: sleeping moves its time, and a run ends when it comes to `end`. */
class World {
  now: Millis = 0;
  kept: KeptWatch | undefined;
  readonly pages = new Map<string, WatchedPage>();
  sites: WatchedSite[] = [];
  heard: Signal[] = [];
  readonly visits: { readonly at: Millis; readonly url: string; readonly kind: string }[] = [];
  readonly stop = new AbortController();
  /** Visits of a round that are told; all unless given. */
  tells = Number.POSITIVE_INFINITY;
  finds: (url: string, at: Millis) => Partial<SeenVisit> = () => ({});
  onSleep: (until: Millis) => void = () => undefined;
  captured: ((planned: PlannedCapture) => Promise<void>) | undefined;

  constructor(names: readonly string[], more: (name: string) => Partial<WatchedPage> = () => ({})) {
    for (const name of names) {
      const url = `https://${name}`;
      const site = name.split('/')[0] as string;
      this.pages.set(url, { url, site, weight: 1, lastVisit: 0, observations: 0, changes: 0, ...more(name) });
    }
  }

  ports(end: Millis): WatchPorts {
    return {
      clock: {
        now: () => this.now,
        sleep: async (ms, signal) => {
          if (signal?.aborted) return;
          this.onSleep(this.now + ms);
          if (signal?.aborted) return;
          this.now += ms;
          if (this.now >= end) this.stop.abort();
        },
      },
      pages: async function* (this: World) {
        yield* this.pages.values();
      }.bind(this),
      sites: async () => this.sites,
      visit: async (visits, told) => {
        for (const one of visits.slice(0, this.tells)) told(this.#seen(one));
      },
      capture: async (planned) => this.captured?.(planned),
      heard: () => this.heard.splice(0),
      keep: async (watch) => {
        this.kept = structuredClone(watch);
      },
      kept: async () => this.kept,
    };
  }

  #seen({ url, kind, cost }: PlannedVisit): SeenVisit {
    this.visits.push({ at: this.now, url, kind });
    const page = this.pages.get(url);
    if (page) this.pages.set(url, { ...page, lastVisit: this.now });
    const found = this.finds(url, this.now);
    const base = {
      url,
      kind,
      at: this.now,
      outcome: 'unchanged',
      importance: 0,
      requests: cost,
      bytes: 0,
    } as const;
    return { ...base, signals: [], ...found };
  }

  async run(end: Millis, settings: WatchSettings = SETTINGS) {
    const watch = await openWatch(this.ports(end), settings);
    await watch.run(this.stop.signal);
    return watch;
  }
}

const ten = Array.from({ length: 10 }, (_, k) => `a.example/p${k}`);

describe('the loop of a watch', () => {
  it('12 requests an hour, 5 hours => up to 60 visits, in rounds of a quarter of an hour', async () => {
    const world = new World(ten);
    await world.run(5 * HOUR);
    expect(world.visits.length).toBeGreaterThan(40);
    expect(world.visits.length).toBeLessThanOrEqual(60);
    expect(world.visits.every(({ at }) => at % (15 * MINUTE) === 0)).toBe(true);
  });

  it('a page wanted every 5 minutes => visited every 5 minutes, between rounds too', async () => {
    const world = new World(ten, (name) => (name.endsWith('p3') ? { every: 5 * MINUTE } : {}));
    await world.run(2 * HOUR, { ...SETTINGS, budget: { requestsPerHour: 60 } });
    const times = world.visits.filter(({ url }) => url.endsWith('p3')).map(({ at }) => at / MINUTE);
    expect(times.slice(0, 5)).toEqual([5, 10, 15, 20, 25]);
  });

  it('a ping => heard at once, and its page is visited before the next round', async () => {
    const world = new World(ten);
    const watch = await openWatch(world.ports(30 * HOUR), { ...SETTINGS, round: HOUR });
    let pinged = false;
    world.onSleep = (until) => {
      if (pinged || until < 20 * HOUR + MINUTE) return;
      pinged = true;
      world.now += 10 * MINUTE;
      const url = 'https://a.example/p7';
      world.heard.push({ kind: 'ping', source: 'desk', url, heardAt: world.now, size: 1 });
      watch.wake();
    };
    await watch.run(world.stop.signal);
    const between = world.visits.filter(({ at }) => at % HOUR === 10 * MINUTE).map(({ url }) => url);
    expect(between).toContain('https://a.example/p7');
  });

  it('a budget of 0 => no visit; raised while it runs => visits', async () => {
    const world = new World(ten);
    const watch = await openWatch(world.ports(4 * HOUR), { ...SETTINGS, budget: { requestsPerHour: 0 } });
    await watch.tick();
    world.now += HOUR;
    expect((await watch.tick()).visits).toEqual([]);
    await watch.reconfigure(SETTINGS);
    world.now += HOUR;
    expect((await watch.tick()).visits.length).toBeGreaterThan(5);
  });

  it('visits that are not told => not learnt, not paid, and planned again', async () => {
    const world = new World(ten);
    world.tells = 0;
    const watch = await openWatch(world.ports(Infinity), SETTINGS);
    world.now += HOUR;
    const { visits } = await watch.tick();
    expect(visits.length).toBeGreaterThan(5);
    expect(watch.account()).toMatchObject({ balance: 12, requests: { refresh: 0 } });
    world.now += HOUR;
    expect((await watch.tick()).visits.map(({ url }) => url)).toEqual(
      expect.arrayContaining(visits.map(({ url }) => url)),
    );
  });

  it('killed in a round of which 4 visits were stored => the bank goes on with those 4 paid', async () => {
    const world = new World(ten);
    const ports = world.ports(Infinity);
    const told = ports.visit;
    const dying: WatchPorts = {
      ...ports,
      visit: async (visits, tell, signal) => {
        await told(visits.slice(0, 4), tell, signal);
        throw new Error('killed');
      },
    };
    const watch = await openWatch(dying, SETTINGS);
    await watch.tick();
    world.now += HOUR;
    await expect(watch.tick()).rejects.toThrow('killed');
    const again = await openWatch(ports, SETTINGS);
    expect(again.account().balance).toBeCloseTo(8, 6);
    const { visits } = await again.tick();
    const made = new Set(world.visits.slice(0, 4).map(({ url }) => url));
    expect(visits.filter(({ url }) => made.has(url))).toEqual([]);
  });

  it('the clock set back 3 hours and forward 10 => visits go on, none twice in a round', async () => {
    const world = new World(ten);
    const watch = await openWatch(world.ports(Infinity), SETTINGS);
    for (const step of [1, 1, -3, 1, 1, 10, 1]) {
      world.now += step * HOUR;
      const { visits } = await watch.tick();
      expect(new Set(visits.map(({ url }) => url)).size).toBe(visits.length);
    }
    expect(world.visits.length).toBeGreaterThan(20);
  });

  it('a site capture => runs beside rounds, which leave the site alone meanwhile; what it costs is paid', async () => {
    const world = new World([...ten, 'b.example/x', 'b.example/y']);
    world.sites = [{ site: 'a.example', every: 24 * HOUR, pages: 10, revisits: 0 }];
    let end: () => void = () => undefined;
    world.captured = () => new Promise((resolve) => (end = resolve));
    const watch = await openWatch(world.ports(Infinity), SETTINGS);
    world.now += HOUR;
    expect((await watch.tick()).captures).toHaveLength(1);
    world.visits.length = 0;
    for (let k = 0; k < 8; k++) {
      world.now += HOUR;
      await watch.tick();
    }
    expect(new Set(world.visits.map(({ url }) => url))).toEqual(
      new Set(['https://b.example/x', 'https://b.example/y']),
    );
    world.sites = [{ ...(world.sites[0] as WatchedSite), lastCapture: world.now }];
    end();
    await new Promise((resolve) => setImmediate(resolve));
    world.now += HOUR;
    await watch.tick();
    expect(world.visits.some(({ url }) => url.includes('a.example'))).toBe(true);
  });

  it('a capture that fails => told at the next round, not lost', async () => {
    const world = new World(ten);
    world.sites = [{ site: 'a.example', every: 24 * HOUR, pages: 10, revisits: 0 }];
    world.captured = () => Promise.reject(new Error('disk full'));
    const watch = await openWatch(world.ports(Infinity), SETTINGS);
    world.now += HOUR;
    await watch.tick();
    await expect(watch.tick()).rejects.toThrow('disk full');
  });

  it('a page that becomes known => discovered, then one of all', async () => {
    const world = new World(ten);
    const fresh = { url: 'https://a.example/new', site: 'a.example', weight: 1, observations: 0, changes: 0 };
    world.finds = (url) => (url.endsWith('p0') ? { discovered: [fresh] } : {});
    await world.run(5 * HOUR);
    expect(world.visits.find(({ url }) => url === fresh.url)?.kind).toBe('discover');
  });

  it('a page that fails => asked less often; one that never was there => not again', async () => {
    const world = new World(ten, (name) => (name.endsWith('p2') ? { lastVisit: undefined as never } : {}));
    world.finds = (url) =>
      url.endsWith('p1') ? { outcome: 'failed' } : url.endsWith('p2') ? { outcome: 'gone' } : {};
    await world.run(20 * HOUR);
    const count = (name: string) => world.visits.filter(({ url }) => url.endsWith(name)).length;
    expect(count('p2')).toBe(1);
    expect(count('p1')).toBeLessThan(8);
  });

  it('gone => asked again after pauses that grow, forced pages at their span; back => a page like others', async () => {
    const world = new World(ten, (name) => (name.endsWith('p3') ? { every: 30 * MINUTE } : {}));
    const isGone = (url: string, at: Millis) => /p[23]$/.test(url) && at < 30 * HOUR;
    world.finds = (url, at) => (isGone(url, at) ? { outcome: 'gone' } : {});
    await world.run(60 * HOUR);
    const times = (name: string) => world.visits.filter(({ url }) => url.endsWith(name)).map(({ at }) => at);
    const gaps = (list: readonly Millis[]) => list.slice(1).map((at, k) => at - (list[k] as Millis));
    const asked = times('p2');
    const whileGone = gaps(asked.filter((at) => at < 30 * HOUR));
    expect(whileGone.length).toBeGreaterThan(2);
    expect(whileGone.toSorted((a, b) => a - b)).toEqual(whileGone);
    expect(asked.filter((at) => at >= 30 * HOUR).length).toBeGreaterThan(2);
    expect(new Set(gaps(times('p3')))).toEqual(new Set([30 * MINUTE]));
  });

  it('pinged: a page that is gone, and one that nobody knew => visited before the next round', async () => {
    const world = new World(ten);
    world.finds = (url) => (url.endsWith('p2') ? { outcome: 'gone' } : {});
    const found: WatchedPage[] = [];
    const ports = { ...world.ports(30 * HOUR), found: async () => found.splice(0) };
    const watch = await openWatch(ports, { ...SETTINGS, round: HOUR, shares: { audit: 0, discovery: 0.1 } });
    const gone = 'https://a.example/p2';
    const fresh = 'https://a.example/new';
    let pinged = false;
    world.onSleep = (until) => {
      if (pinged || until < 20 * HOUR + MINUTE) return;
      pinged = true;
      world.now += 10 * MINUTE;
      found.push({ url: fresh, site: 'a.example', weight: 0.3, observations: 0, changes: 0 });
      for (const url of [gone, fresh])
        world.heard.push({ kind: 'ping', source: 'desk', url, heardAt: world.now });
      watch.wake();
    };
    await watch.run(world.stop.signal);
    const between = world.visits.filter(({ at }) => at % HOUR === 10 * MINUTE);
    expect(between.map(({ url, kind }) => [url, kind])).toEqual([
      [gone, 'refresh'],
      [fresh, 'discover'],
    ]);
  });

  it('pinged while the bank is empty => visited as soon as it can be paid, not in the next round', async () => {
    const world = new World(ten);
    const url = 'https://a.example/new';
    const found: WatchedPage[] = [{ url, site: 'a.example', weight: 0.3, observations: 0, changes: 0 }];
    const ports = { ...world.ports(9 * HOUR), found: async () => found.splice(0) };
    world.heard.push({ kind: 'ping', source: 'desk', url, heardAt: 0 });
    const budget = { requestsPerHour: 2 };
    const watch = await openWatch(ports, { budget, round: 10 * HOUR, shares: { audit: 0 } });
    await watch.run(world.stop.signal);
    expect(world.visits).toEqual([{ at: HOUR / 2, url, kind: 'discover' }]);
  });

  it('the plan of the next hour => what the next rounds do; a page explained => its numbers', async () => {
    const world = new World(ten);
    const watch = await openWatch(world.ports(Infinity), SETTINGS);
    world.now += HOUR;
    const [first] = await watch.planAhead(1);
    expect((await watch.tick()).visits).toEqual(first?.round.visits);
    expect(watch.explain('https://a.example/p4')).toMatchObject({
      site: 'a.example',
      weight: 1,
      availability: 'open',
    });
  });
});
