import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ENGINE_VERSION, FiltersEngine } from '@ghostery/adblocker';
import type { AdRecogniser } from '../../ports/ad-recogniser.ts';
import { findFilterLists, type ListPlace } from './filter-lists.ts';
import { ENGINE_OPTIONS, ListRecogniser, noLists } from './list-recogniser.ts';

/**
 * Compiles the lists once (3 s of processor time for 13 MB of text) and keeps the compiled engine in a file, which
 * loads in 20 ms. The file's name is a hash of all that it depends on, so a new list or engine makes a new one.
 */

interface Opened {
  readonly recogniser: AdRecogniser;
  /** What serves, or that nothing does and why; for the log and for `facts` of a crawl. */
  readonly fact: string;
}

export interface RecogniserOptions {
  /** A folder of ours for the compiled engine; nothing is kept where it is not given. */
  readonly cacheFolder?: string | undefined;
  /** Filter lists the configuration names, instead of those found on the machine. */
  readonly lists?: readonly string[] | undefined;
}

const NO_LISTS =
  'no filter lists: advertisements are told by size and frame alone (npm install @adguard/dnr-rulesets, or apt install webext-ublock-origin-chromium)';

export function openRecogniser(options: RecogniserOptions = {}): Opened {
  const place = findFilterLists(options.lists);
  if (!place) return { recogniser: noLists, fact: NO_LISTS };
  const { cacheFolder } = options;
  const file = cacheFolder === undefined ? undefined : join(cacheFolder, `${PREFIX}${keyOf(place)}.engine`);
  const kept = file === undefined ? undefined : load(file);
  const recogniser = kept ?? compile(place);
  if (!kept && file !== undefined && cacheFolder !== undefined) keep(recogniser, file, cacheFolder);
  return { recogniser: recogniser.open, fact: `advertisements by ${recogniser.open.lists.join(', ')}` };
}

const PREFIX = 'filter-lists-';

interface Compiled {
  readonly open: ListRecogniser;
  readonly engine: FiltersEngine;
}

/** The head of a file stands for it, with size and time: npm gives all files one time, and all of them are 40 MB. */
const HEAD = 64 * 1024;

function keyOf({ files }: ListPlace): string {
  const hash = createHash('sha256').update(`${ENGINE_VERSION} ${JSON.stringify(ENGINE_OPTIONS)}`);
  const head = Buffer.alloc(HEAD);
  for (const file of files) {
    const handle = openSync(file, 'r');
    try {
      const { size, mtimeMs } = fstatSync(handle);
      hash
        .update(`\n${file} ${size} ${mtimeMs}\n`)
        .update(head.subarray(0, readSync(handle, head, 0, HEAD, 0)));
    } finally {
      closeSync(handle);
    }
  }
  return hash.digest('hex').slice(0, 24);
}

function compile(place: ListPlace): Compiled {
  const lists = place.files.map((file) => place.read(file));
  const engine = FiltersEngine.parse(lists.map((list) => list.text).join('\n'), ENGINE_OPTIONS);
  return {
    engine,
    open: new ListRecogniser(
      engine,
      lists.map((list) => list.name),
    ),
  };
}

/** A line of JSON with the lists' names, then the engine. Undefined for a file that is not there or not whole. */
function load(file: string): Compiled | undefined {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf(10);
    const lists = JSON.parse(bytes.toString('utf8', 0, end)) as string[];
    const engine = FiltersEngine.deserialize(new Uint8Array(bytes.subarray(end + 1)));
    return { engine, open: new ListRecogniser(engine, lists) };
  } catch {
    return undefined;
  }
}

function keep({ engine, open }: Compiled, file: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    if (old.startsWith(PREFIX)) rmSync(join(folder, old), { force: true });
  }
  // Written beside and renamed: a process that is stopped half-way leaves no half engine behind.
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, Buffer.concat([Buffer.from(`${JSON.stringify(open.lists)}\n`), engine.serialize()]));
  renameSync(part, file);
}
