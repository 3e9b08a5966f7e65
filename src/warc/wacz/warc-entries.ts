import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import { type ArcConversion, arcToWarc } from '../arc-to-warc.ts';
import type { WaczExport } from './export.ts';

/** A whole record file, or its first `length` bytes: what the catalog knows of a file still being written. */
export type WarcSource = string | { readonly path: string; readonly length: number };

export interface WarcEntry {
  /** Name in `archive/`. */
  readonly name: string;
  readonly path: string;
  readonly length: number;
  /** Given by the caller, not created during export. */
  readonly isGiven: boolean;
}

interface EntryOptions extends Pick<WaczExport, 'here' | 'software'> {
  readonly spill: string;
  readonly at: Millis;
}

export interface ConvertedFile {
  readonly from: string;
  readonly to: string;
  readonly records: number;
  /** Parts of the ARC file that are not records, and were left out. */
  readonly leftOut: number;
  /** HTTP heads that had to be written with CRLF to be readable. */
  readonly mendedHeads: number;
}

export interface WarcEntries {
  readonly entries: readonly WarcEntry[];
  readonly converted: readonly ConvertedFile[];
  /** Where a capture is in the package; undefined if it is in none of its files. */
  relocate(capture: CaptureFact): CaptureFact | undefined;
  /** Removes the files created during export. */
  remove(): Promise<void>;
}

/**
 * The files that go into a WACZ, which holds only WARC: ARC files are converted, into files next to `spill`, and names
 * get the extension that readers look for. Lengths are fixed here, before anything is written: a file that still grows
 * is taken as it is now.
 */
export async function warcEntries(
  sources: readonly WarcSource[],
  { spill, software, at, here }: EntryOptions,
): Promise<WarcEntries> {
  if (sources.length === 0) throw new Error('a WACZ needs at least one WARC file, and none was given');
  const paths = new Map<string, string>();
  const entries: WarcEntry[] = [];
  const places = new Map<string, { name: string; records?: ArcConversion['records'] }>();
  const converted: ConvertedFile[] = [];
  const made: string[] = [];
  const remove = async (): Promise<void> => {
    for (const path of made) await rm(path, { force: true });
  };
  // Files that keep their name come first, so that a converted file yields.
  const isArc = (source: WarcSource): boolean => /\.arc(\.gz)?$/i.test(pathOf(source));
  try {
    for (const source of [...sources].sort((a, b) => Number(isArc(a)) - Number(isArc(b)))) {
      const path = pathOf(source);
      const file = basename(path);
      const [, stem, format = '', gz = ''] = /^(.*)\.(w?arc)(\.gz)?$/is.exec(file) ?? [];
      if (stem === undefined) throw new Error(`${path} is not named .warc, .warc.gz, .arc or .arc.gz`);
      const length = typeof source === 'string' ? (await stat(path)).size : source.length;
      const name = isArc(source)
        ? freeName(stem, paths)
        : `${stem}.${format}${gz}`.replace(ENDING, lowerCase);
      const other = paths.get(name);
      if (other !== undefined)
        throw new Error(`${other} and ${path} have the same file name: rename one, then reindex`);
      paths.set(name, path);
      if (!isArc(source)) {
        entries.push({ name, path, length, isGiven: true });
        places.set(file, { name });
        continue;
      }
      const target = `${spill}.${made.length}.warc.gz`;
      made.push(target);
      await here?.(path);
      const conversion = await arcToWarc({ path, length }, target, { software, at, name });
      entries.push({ name, path: target, length: conversion.length, isGiven: false });
      places.set(file, { name, records: conversion.records });
      converted.push({
        from: file,
        to: name,
        records: conversion.records.size,
        leftOut: conversion.problems.length,
        mendedHeads: conversion.mendedHeads,
      });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    entries,
    converted,
    remove,
    relocate(capture) {
      const place = places.get(capture.file);
      if (!place) return undefined;
      if (!place.records) return { ...capture, file: place.name };
      const record = place.records.get(capture.offset);
      return record && { ...capture, ...record, file: place.name };
    },
  };
}

const ENDING = /\.warc(\.gz)?$/i;
const lowerCase = (text: string): string => text.toLowerCase();

function pathOf(source: WarcSource): string {
  return typeof source === 'string' ? source : source.path;
}

function freeName(stem: string, taken: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? '' : `-arc-${number}`}.warc.gz`;
    if (!taken.has(name)) return name;
  }
}
