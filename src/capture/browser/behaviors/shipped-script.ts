import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Webrecorder's behaviours, as one script: read from a folder beside the bundled code in a build, from the package
 * `browsertrix-behaviors` when run from source.
 */
const FOLDER = 'behaviors';
const FILE = 'behaviors.js';

let text: string | undefined;

export function behaviorsScript(): string {
  text ??= readShipped() ?? readFileSync(path.join(packageFolder(), 'dist', FILE), 'utf8');
  return text;
}

function readShipped(): string | undefined {
  try {
    return readFileSync(new URL(`./${FOLDER}/${FILE}`, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

/** The package names a main file that it does not contain, so it is located by its package.json. */
const packageFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve('browsertrix-behaviors/package.json'));

/** The files a build puts there, by path. */
export function shippedBehaviorFiles(): ReadonlyMap<string, Buffer> {
  const folder = packageFolder();
  return new Map([
    [`${FOLDER}/${FILE}`, readFileSync(path.join(folder, 'dist', FILE))],
    [`${FOLDER}/LICENSE.md`, readFileSync(path.join(folder, 'LICENSE.md'))],
  ]);
}
