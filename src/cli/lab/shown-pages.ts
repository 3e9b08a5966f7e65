import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShownPages, TimedPage } from '../../lab/reproduce/shown-pages.ts';
import { endsOf, type VersionedPage, type VersionFile } from './version-set.ts';

/** Bytes of HTML (IWAW 2009 §7.1). */
const [SMALLEST, LARGEST] = [20_000, 600_000];

interface GivenPages {
  readonly data?: string;
  readonly snapshots?: string;
}

/** Passes on the real pages in `versions` of the data folder, if there are any; nothing is unpacked or shown before it is asked for. */
export async function withShownPages(
  { data, snapshots }: GivenPages,
  use: (pages: ShownPages | undefined) => Promise<void>,
): Promise<void> {
  const folder = data === undefined ? undefined : join(data, 'versions');
  if (folder === undefined || !(await isFolder(folder))) return use(undefined);
  const { KeptSnapshots } = await import('./kept-snapshots.ts');
  const { showVersions } = await import('./show-versions.ts');
  const { withViewer } = await import('./shown-set.ts');
  const { openVersionSet } = await import('./version-set.ts');
  let opened: ReturnType<typeof openVersionSet> | undefined;
  const open = () => {
    opened ??= openVersionSet(folder);
    return opened;
  };
  try {
    await withViewer(async (viewer) => {
      await use({
        bySize: async function* (count) {
          const { pages } = await open();
          for (const { page, file, bytes } of await spreadBySize(pages, count)) {
            const started = performance.now();
            // Shown anew each time: kept snapshots give no timings.
            const options = { viewer, kept: new KeptSnapshots(undefined), again: 0 };
            for await (const shown of showVersions([{ ...page, versions: [file] }], options)) {
              if (!shown.snapshot) continue;
              yield {
                page: page.name,
                version: file.version,
                htmlBytes: bytes,
                renderMilliseconds: performance.now() - started,
                snapshot: shown.snapshot,
              } satisfies TimedPage;
            }
          }
        },
        versions: async function* (most) {
          const { pages } = await open();
          const ends = pages.map((page) => ({ ...page, versions: endsOf(page.versions, most) }));
          yield* showVersions(ends, { viewer, kept: new KeptSnapshots(snapshots), again: 0 });
        },
      });
    });
  } finally {
    await (await opened)?.close();
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** This many files of 20 to 600 KB, spread as evenly as possible over the logarithm of their size. */
async function spreadBySize(
  pages: readonly VersionedPage[],
  count: number,
): Promise<{ page: VersionedPage; file: VersionFile; bytes: number }[]> {
  const files: { page: VersionedPage; file: VersionFile; bytes: number }[] = [];
  for (const page of pages) {
    for (const file of page.versions) {
      const bytes = (await stat(file.path)).size;
      if (bytes >= SMALLEST && bytes <= LARGEST) files.push({ page, file, bytes });
    }
  }
  const chosen = new Set<(typeof files)[number]>();
  for (let k = 0; k < count && chosen.size < files.length; k++) {
    const wanted = Math.log(SMALLEST) + (Math.log(LARGEST / SMALLEST) * k) / Math.max(1, count - 1);
    const off = ({ bytes }: { readonly bytes: number }): number => Math.abs(Math.log(bytes) - wanted);
    const [first, ...rest] = files.filter((file) => !chosen.has(file));
    if (first) chosen.add(rest.reduce((best, file) => (off(file) < off(best) ? file : best), first));
  }
  return [...chosen];
}
