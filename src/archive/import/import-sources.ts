import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lookAtSource } from './import-source.ts';

/** The files to import. A pipe belongs to the process it was given to, so another process gets a file in its place. */
export class ImportSources {
  paths: readonly string[];
  readonly #folders: string[] = [];

  constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  async spoolPipes(): Promise<void> {
    const files: string[] = [];
    for (const path of this.paths) {
      if ((await lookAtSource(path)) === 'file') files.push(path);
      else {
        // Not in the archive, whose temporary folder is emptied by whoever opens it next.
        const folder = await mkdtemp(join(tmpdir(), 'daguerre-pipe-'));
        this.#folders.push(folder);
        files.push(await spoolPipe(path, folder));
      }
    }
    this.paths = files;
  }

  async remove(): Promise<void> {
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}

/** A pipe can be read only once, so it goes into a file first. */
export async function spoolPipe(path: string, folder: string): Promise<string> {
  const file = join(folder, basename(path));
  await pipeline(createReadStream(path), createWriteStream(file));
  return file;
}
