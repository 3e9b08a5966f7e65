import { join } from 'node:path';
import { UserError } from '../../archive/user-error.ts';
import {
  changedPage,
  type JudgedComparison,
  type JudgedFolders,
  type JudgedSide,
  nameOf,
} from '../../lab/judged/judged-changes.ts';
import type { ShownChange } from '../../lab/salience/change-facts.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { PageViewer } from '../../ports/page-viewer.ts';
import { lookAtAnnotated } from './annotated-set.ts';
import type { KeptSnapshots } from './kept-snapshots.ts';
import { showVersions } from './show-versions.ts';
import type { VersionedPage } from './version-set.ts';

export interface JudgedLook {
  readonly viewer: () => Promise<PageViewer>;
  readonly kept: KeptSnapshots;
  readonly folders: JudgedFolders;
  /** As returned by `openVersionSet`. */
  readonly pages: readonly VersionedPage[];
}

/** Each judged change once, as a browser showed both of its sides; refused if a file is not the one judged. */
export async function* showJudged(
  comparisons: readonly JudgedComparison[],
  look: JudgedLook,
): AsyncGenerator<ShownChange> {
  const sides = new Map<string, JudgedSide>();
  for (const { a, b } of comparisons) for (const side of [a, b]) sides.set(nameOf(side.change), side);
  for (const [name, side] of sides) {
    const { change } = side;
    const html = await changedPage(side, look.folders);
    if (change.kind === 'edit') {
      const { folders, viewer, kept } = look;
      const head = {
        folder: folders.annotated,
        path: join(folders.annotated, change.file),
        site: change.page,
      };
      const shown = (version: string, page: Uint8Array): Promise<PageSnapshot> =>
        lookAtAnnotated({ ...head, version, html: page }, { viewer, kept });
      yield { name, page: change.page, old: await shown('old', html.old), new: await shown('new', html.now) };
      continue;
    }
    const page = look.pages.find((one) => one.name === change.page);
    const [old, now] = page ? await versionsOf(page, [change.from, change.to], look) : [];
    if (!old || !now) throw new UserError(`${name}: the set does not hold both versions`);
    yield { name, page: change.page, old, new: now };
  }
}

async function versionsOf(
  page: VersionedPage,
  names: readonly string[],
  { viewer, kept }: JudgedLook,
): Promise<PageSnapshot[]> {
  const versions = names.flatMap((name) => page.versions.filter(({ version }) => version === name));
  const snapshots: PageSnapshot[] = [];
  for await (const shown of showVersions([{ ...page, versions }], { viewer, kept, again: 0 })) {
    if (!shown.snapshot) throw new Error(`${page.name} ${shown.version}: not shown: ${shown.reason}`);
    snapshots.push(shown.snapshot);
  }
  return snapshots;
}
