import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resultFolder } from '../../archive/result-folder.ts';

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
    const folder = join(this.#folder, page);
    const name = `${version}-${hash.slice(0, 12)}${look}.json`;
    const kept = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (kept !== undefined) return kept;
    const taken = await take();
    await (await resultFolder(folder))(name, taken);
    return taken;
  }
}
