/** What really happened, to compare with what an archive says happened. */
import { createHash } from 'node:crypto';
import type { Millis } from '../../model/time.ts';
import type { ContentChange } from './content-diff.ts';
import { AD_INTERVAL, campaignAt, rotationTimes } from './render/ads.ts';
import { adSlots } from './render/html.ts';
import { editorialBytes, render } from './render/render.ts';
import type { Version } from './timeline.ts';
import { AD_COPY } from './words.ts';
import type { Newspaper } from './world.ts';

export interface ChangeOptions {
  /** Also feeds, sitemaps, images, JSON and PDF. */
  readonly resources?: boolean;
  /** Whether JSON that a page's scripts display counts as a change of that page, as a browser sees it. */
  readonly rendered?: boolean;
  /** Also ad rotations, with importance 0; timed ads only. */
  readonly ads?: boolean;
}

export interface PageChange {
  readonly path: string;
  readonly at: Millis;
  readonly importance: number;
  readonly changes: readonly ContentChange[];
  readonly reason: string;
  /** The version that begins with it; absent if only an ad or script-displayed content changed. */
  readonly version?: number;
}

export interface Fingerprint {
  readonly size: number;
  /** Hex SHA-256 of the body without ads and tokens. */
  readonly digest: string;
}

export interface Truth {
  versions(path: string, until: Millis): readonly Version[];
  /** Changes in (from, to], by time, then by path. */
  changes(from: Millis, to: Millis, options?: ChangeOptions): readonly PageChange[];
  /** Fingerprint of the version live at `time`. */
  fingerprint(path: string, time: Millis): Fingerprint | undefined;
  isAdvertisement(path: string): boolean;
  /** `page, unix time, importance`, as `daguerre lab` reads it. */
  changesTsv(from: Millis, to: Millis, options?: ChangeOptions): string;
  /** `path, kind (A|M|D), unix time, size, digest`. */
  historyTsv(from: Millis, to: Millis, options?: Pick<ChangeOptions, 'resources'>): string;
}

export function openTruth(world: Newspaper, adInterval: number = AD_INTERVAL): Truth {
  function fingerprint(path: string, time: Millis): Fingerprint | undefined {
    const found = world.resolve(path, time);
    if (found.kind !== 'page') return undefined;
    const content = found.spec.content(found.version.from);
    const bytes = editorialBytes(found.spec, render(found.spec, content, { traps: world.traps }));
    return { size: bytes.length, digest: createHash('sha256').update(bytes).digest('hex') };
  }

  function shownChanges(from: Millis, to: Millis): PageChange[] {
    const changes: PageChange[] = [];
    for (const { path, shows } of world.pages(to)) {
      for (const source of shows) {
        for (const v of world.versions(source, to)) {
          if (v.from > from && v.version > 1)
            changes.push({
              path,
              at: v.from,
              importance: v.importance,
              changes: v.changes,
              reason: `${source}: ${v.reason}`,
            });
        }
      }
    }
    return changes;
  }

  function adChanges(from: Millis, to: Millis): PageChange[] {
    const changes: PageChange[] = [];
    for (const { path, class: pageClass, born } of world.pages(to)) {
      for (const slot of adSlots(pageClass)) {
        for (const at of rotationTimes(world.seed, slot, Math.max(from, born), to, adInterval)) {
          const before = campaignAt(world.seed, path, slot, at - 1, adInterval);
          const after = campaignAt(world.seed, path, slot, at, adInterval);
          if (before === after) continue;
          const change: ContentChange = {
            kind: 'update',
            element: 'image',
            block: `ad-${slot}`,
            importance: 0,
            advertisement: true,
            before: AD_COPY[before]?.[0] ?? '',
            after: AD_COPY[after]?.[0] ?? '',
          };
          changes.push({ path, at, importance: 0, changes: [change], reason: 'ad rotation' });
        }
      }
    }
    return changes;
  }

  function changes(from: Millis, to: Millis, options: ChangeOptions = {}): PageChange[] {
    const found: PageChange[] = world
      .changesBetween(from, to, options.resources ? { resources: true } : {})
      .map((v) => ({
        path: v.path,
        at: v.from,
        importance: v.importance,
        changes: v.changes,
        reason: v.reason,
        version: v.version,
      }));
    if (options.rendered) found.push(...shownChanges(from, to));
    if (options.ads) found.push(...adChanges(from, to));
    return found.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  const seconds = (time: Millis): number => Math.floor(time / 1000);

  return {
    versions: world.versions,
    changes,
    fingerprint,
    isAdvertisement: (path) => path.startsWith('/ads/'),
    changesTsv: (from, to, options) =>
      changes(from, to, options)
        .map(({ path, at, importance }) => `${path}\t${seconds(at)}\t${Number(importance.toFixed(4))}\n`)
        .join(''),
    historyTsv: (from, to, options) =>
      world
        .changesBetween(from, to, options)
        .map((version) => {
          const mark = version.state === 'gone' ? undefined : fingerprint(version.path, version.from);
          const kind = mark === undefined ? 'D' : version.version === 1 ? 'A' : 'M';
          return `${version.path}\t${kind}\t${seconds(version.from)}\t${mark?.size ?? 0}\t${mark?.digest ?? '-'}\n`;
        })
        .join(''),
  };
}
