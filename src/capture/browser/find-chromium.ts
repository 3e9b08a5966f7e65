/**
 * Which Chromium to drive: `CHROME_PATH`, then an installed one, then the one inside the optional npm
 * package `@sparticuz/chromium`.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { StorageFull } from '../../ports/record-store.ts';
import { NoBrowser } from '../../ports/renderer.ts';

export interface FoundChromium {
  readonly path: string;
  readonly from: 'CHROME_PATH' | 'installed' | 'npm';
  /** Further environment variables it needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** Headless shells first: they start two to four times as fast as the full browser. */
const NAMES = [
  'chrome-headless-shell',
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

const USUAL_PLACES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const HOW_TO_GET_ONE =
  'install one (`apt install chromium-headless-shell`, or `npm install @sparticuz/chromium`), ' +
  'or set CHROME_PATH to its executable, or run with --render never';

export interface SearchPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether to look in the usual places and in npm packages besides PATH. */
  readonly beyondPath: boolean;
  /** Must be able to open a window: headless shells, and the one from npm, cannot. */
  readonly window?: boolean;
}

export async function findChromium(
  place: SearchPlace = { env: process.env, beyondPath: true },
): Promise<FoundChromium> {
  const named = place.env.CHROME_PATH;
  const names = NAMES.filter((name) => !place.window || !name.endsWith('-headless-shell'));
  if (named) {
    if (await isExecutable(named)) return { path: named, from: 'CHROME_PATH', env: {} };
    throw new NoBrowser(`CHROME_PATH names no executable file: ${named}; ${HOW_TO_GET_ONE}`);
  }
  const folders = (place.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  if (place.beyondPath) candidates.push(...USUAL_PLACES);
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return { path: candidate, from: 'installed', env: {} };
  }
  if (place.window)
    throw new NoBrowser(
      'no Chromium that opens windows was found: install one (`apt install chromium`), or set CHROME_PATH to its executable',
    );
  const packed = place.beyondPath ? await unpackedFromNpm() : undefined;
  if (packed) return packed;
  throw new NoBrowser(`no Chromium was found; ${HOW_TO_GET_ONE}`);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/**
 * `@sparticuz/chromium` unpacks straight into the temporary folder and accepts whatever `/tmp/chromium` is
 * there already: one half-written by another process, or planted by another user. So it unpacks, in a process
 * of its own, into a fresh folder, which is then renamed into place: the first of two racing processes wins,
 * and no process sees a half-written one.
 */
async function unpackedFromNpm(): Promise<FoundChromium | undefined> {
  const require = createRequire(import.meta.url);
  let entry: string;
  let version: string;
  try {
    entry = require.resolve('@sparticuz/chromium');
    version = (require(path.join(entry, '../../../package.json')) as { version: string }).version;
  } catch {
    return undefined;
  }
  const uid = process.getuid?.() ?? 0;
  return unpackInto(path.join(os.tmpdir(), `daguerre-chromium-${version}-${uid}`), async (folder) => {
    const script = `const m = require(${JSON.stringify(entry)}); (m.default ?? m).executablePath().then(() => {})`;
    await promisify(execFile)(process.execPath, ['-e', script], {
      env: { ...process.env, TMPDIR: folder, NODE_OPTIONS: '' },
    });
  });
}

/** Exported for the test of the race. */
export async function unpackInto(
  folder: string,
  unpack: (folder: string) => Promise<void>,
): Promise<FoundChromium> {
  const executable = path.join(folder, 'chromium');
  if (!(await isOurs(executable))) {
    const fresh = await mkdtemp(`${folder}.`);
    try {
      await unpack(fresh);
      await rename(fresh, folder);
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      // Another process won the race: its copy will do.
      if (!(await isOurs(executable))) {
        // Another process unpacked it, so only the text of the reason is left.
        if (/ENOSPC|EDQUOT|EFBIG/.test(String(error))) throw new StorageFull(folder, error);
        throw new NoBrowser(
          `unpacking @sparticuz/chromium to ${folder} failed: remove that folder, or ${HOW_TO_GET_ONE}`,
          { cause: error },
        );
      }
    }
  }
  const hasFonts = await access('/etc/fonts').then(
    () => true,
    () => false,
  );
  // Without any system font, no text would be drawn: the package brings one.
  const env = hasFonts ? {} : { FONTCONFIG_PATH: path.join(folder, 'fonts') };
  return { path: executable, from: 'npm', env: env as Record<string, string> };
}

async function isOurs(executable: string): Promise<boolean> {
  if (!(await isExecutable(executable))) return false;
  const owner = (await stat(path.dirname(executable))).uid;
  return process.getuid === undefined || owner === process.getuid();
}
