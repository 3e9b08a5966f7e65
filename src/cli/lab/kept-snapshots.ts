import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resultFolder } from '../../archive/result-folder.ts';

/**
 * Snapshots kept from one run to the next: showing a page costs seconds, everything else milliseconds. The name
 * contains a hash of what was shown; it does not reflect a newer Chromium or walk, so the folder must be emptied
 * then.
 */
export class KeptSnapshots {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** `look` distinguishes several looks at one version, '' for the first. Nothing is kept if `take` throws. */
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
