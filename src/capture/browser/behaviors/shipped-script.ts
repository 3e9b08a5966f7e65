import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The behaviours of Webrecorder, one script: in a folder beside the bundled code where it is built, in the package
 * `browsertrix-behaviors` where it is run from source.
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

/** It names a main file that it does not have: found by its own description. */
const packageFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve('browsertrix-behaviors/package.json'));

/** What a build puts there, by path. */
export function shippedBehaviorFiles(): ReadonlyMap<string, Buffer> {
  const folder = packageFolder();
  return new Map([
    [`${FOLDER}/${FILE}`, readFileSync(path.join(folder, 'dist', FILE))],
    [`${FOLDER}/LICENSE.md`, readFileSync(path.join(folder, 'LICENSE.md'))],
  ]);
}
