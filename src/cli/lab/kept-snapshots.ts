import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../archive/make-folder.ts';
import { naming } from '../../ports/system-error.ts';

/**
 * Snapshots kept from one run to the next: showing a page costs seconds, all else milliseconds. The name holds a
 * hash of what was shown; a newer Chromium or walk does not show in it, so the folder is to be emptied then.
 */
export class KeptSnapshots {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** `look` tells several looks at one version apart, '' for the first. Nothing is kept when `take` throws. */
  async get(
    page: string,
    version: string,
    shown: { readonly url: string; readonly html: Uint8Array; readonly look: string },
    take: () => Promise<string>,
  ): Promise<string> {
    if (this.#folder === undefined) return take();
    const hash = createHash('sha256').update(shown.url).update('\0').update(shown.html).digest('hex');
    const look = shown.look === '' ? '' : `-${shown.look}`;
    const file = join(this.#folder, page, `${version}-${hash.slice(0, 12)}${look}.json`);
    const kept = await readFile(file, 'utf8').catch(() => undefined);
    if (kept !== undefined) return kept;
    const taken = await take();
    await makeFolder(dirname(file));
    // Renamed into place: a run that is stopped leaves no half file.
    await naming(file, writeFile(`${file}.part`, taken));
    await rename(`${file}.part`, file);
    return taken;
  }
}
