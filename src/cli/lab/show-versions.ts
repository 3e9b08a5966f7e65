import { readFile } from 'node:fs/promises';
import { lookOffline } from '../../archive/look/offline-look.ts';
import { givenHtml } from '../../archive/look/page-parts.ts';
import type { ShownVersion } from '../../lab/deltas/study.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { PageViewer } from '../../ports/page-viewer.ts';
import { naming } from '../../ports/system-error.ts';
import { isMachineFault } from '../explain-error.ts';
import type { KeptSnapshots } from './kept-snapshots.ts';
import { TABS } from './shown-set.ts';
import type { VersionedPage, VersionFile } from './version-set.ts';

/** Milliseconds for one page. */
const TIME_LIMIT = 60 * 1000;

export interface ShowOptions {
  /** Opened for the first page that is not kept. */
  readonly viewer: () => Promise<PageViewer>;
  readonly kept: KeptSnapshots;
  /** Each n-th version is shown a second time; 0: none. */
  readonly again: number;
  readonly onShown?: (done: number, all: number) => void;
}

/**
 * Each version as the browser showed it, in order, from its HTML alone: no external style sheets, pictures or
 * scripts, no network. One that could not be shown says why instead.
 */
export async function* showVersions(
  pages: readonly VersionedPage[],
  options: ShowOptions,
): AsyncGenerator<ShownVersion> {
  const asked = pages.flatMap((page) => page.versions.map((file, index) => ({ page, file, index })));
  const waiting: Promise<ShownVersion>[] = [];
  let next = 0;
  for (let done = 1; done <= asked.length; done++) {
    for (; next < asked.length && waiting.length < TABS; next++) {
      const { page, file, index } = asked[next] as (typeof asked)[number];
      const twice = options.again > 0 && index % options.again === 0;
      const shown = showVersion(page, file, twice, options);
      // It is awaited later, or not at all if one before it failed.
      shown.catch(() => {});
      waiting.push(shown);
    }
    const shown = (await waiting.shift()) as ShownVersion;
    options.onShown?.(done, asked.length);
    yield shown;
  }
}

async function showVersion(
  { name, url }: VersionedPage,
  { version, path }: VersionFile,
  twice: boolean,
  { viewer, kept }: ShowOptions,
): Promise<ShownVersion> {
  const head = { page: name, version, url };
  try {
    const html = await naming(path, readFile(path));
    const look = async (nth: string, scripts: boolean): Promise<PageSnapshot> =>
      unpackSnapshot(
        await kept.get(name, version, { url, html, look: nth }, async () =>
          taken(await viewer(), url, html, scripts),
        ),
      );
    const { seen: snapshot, scripts } = await lookOffline(
      (withScripts) => look(withScripts ? '' : 'plain', withScripts),
      (seen) => seen,
    );
    return {
      ...head,
      snapshot,
      scripts,
      ...(twice ? { again: await look(scripts ? '1' : 'plain-1', scripts) } : {}),
    };
  } catch (error) {
    if (isMachineFault(error)) throw error;
    return { ...head, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function taken(viewer: PageViewer, url: string, html: Uint8Array, scripts: boolean): Promise<string> {
  const view = await viewer.view({
    url,
    // The document declares its own character set, as it did on the web.
    answer: givenHtml(url, html, 'text/html'),
    scripts,
    timeLimit: TIME_LIMIT,
  });
  if (view.snapshot.kind === 'taken') return view.snapshot.packed;
  throw new Error(`no snapshot: ${view.snapshot.reason}`);
}
