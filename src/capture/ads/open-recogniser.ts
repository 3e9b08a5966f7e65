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
import { ENGINE_VERSION } from '@ghostery/adblocker';
import type { AdRecogniser } from '../../ports/ad-recogniser.ts';
import type { PageRequest } from '../../ports/request-blocker.ts';
import { type CompiledLists, compileLists, readCompiled, writeCompiled } from './compiled-lists.ts';
import { findFilterLists, type ListPlace } from './filter-lists.ts';
import { ENGINE_OPTIONS, ListRecogniser, noLists } from './list-recogniser.ts';
import { readShippedLists } from './shipped-lists.ts';

interface Opened {
  readonly recogniser: AdRecogniser;
  /** Which lists are used, or why none are; for the log and for `facts` of a crawl. */
  readonly fact: string;
  /** Absent where there are no lists. */
  readonly filterOf?: (request: PageRequest) => string | undefined;
}

export interface RecogniserOptions {
  /** Folder that caches compiled lists; without it nothing is cached. */
  readonly cacheFolder?: string | undefined;
  /** Filter lists named by the configuration, instead of those of the package or the machine. */
  readonly lists?: readonly string[] | undefined;
}

const NO_LISTS =
  'no filter lists: advertisements are told by labels, targets and sizes alone (build the package again, or apt install webext-ublock-origin-chromium)';

export function openRecogniser(options: RecogniserOptions = {}): Opened {
  const given = options.lists ?? [];
  const lists = (given.length === 0 ? readShippedLists() : undefined) ?? listsOfMachine(given, options);
  if (!lists) return { recogniser: noLists, fact: NO_LISTS };
  const recogniser = new ListRecogniser(lists.engine, lists.names);
  return {
    recogniser,
    filterOf: (request) => recogniser.filterOf(request),
    fact: `advertisements by ${lists.names.join(', ')}`,
  };
}

/**
 * Compiled once; the file name is a hash of everything the result depends on, so a new list or engine makes a new
 * file.
 */
function listsOfMachine(
  given: readonly string[],
  { cacheFolder }: RecogniserOptions,
): CompiledLists | undefined {
  const place = findFilterLists(given);
  if (!place) return undefined;
  const compile = (): CompiledLists => compileLists(place.files.map((file) => place.read(file)));
  if (cacheFolder === undefined) return compile();
  const file = join(cacheFolder, `${PREFIX}${keyOf(place)}.engine`);
  const kept = load(file);
  if (kept) return kept;
  const compiled = compile();
  keep(compiled, file, cacheFolder);
  return compiled;
}

const PREFIX = 'filter-lists-';

/**
 * Each file is identified by its head, size and time: npm gives all files the same time, and together they are 40
 * MB.
 */
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

/** Undefined for a file that is missing or incomplete. */
function load(file: string): CompiledLists | undefined {
  try {
    return readCompiled(readFileSync(file));
  } catch {
    return undefined;
  }
}

function keep(compiled: CompiledLists, file: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    if (old.startsWith(PREFIX)) rmSync(join(folder, old), { force: true });
  }
  // Written to a temporary name, then renamed: a process stopped half-way leaves no half-written engine behind.
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, writeCompiled(compiled));
  renameSync(part, file);
}
