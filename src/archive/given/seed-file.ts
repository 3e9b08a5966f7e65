import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { naming } from '../../ports/system-error.ts';
import { UserError } from '../user-error.ts';
import { webAddress } from './web-address.ts';

/** Complaints shown at once: a file of another kind would give one per line. */
const COMPLAINTS = 10;

/**
 * A file of addresses as people give them, one per line; empty lines and lines that begin with # are ignored.
 * Duplicates count once. Lines that are not addresses are refused, with their place, before anything is crawled.
 */
export function readSeedFile(path: string): Promise<readonly string[]> {
  return naming(path, read(path));
}

async function read(path: string): Promise<readonly string[]> {
  const seeds = new Set<string>();
  const complaints: string[] = [];
  let wrong = 0;
  let line = 0;
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const text of lines) {
    line++;
    const given = text.replace(/^\uFEFF/, '').trim();
    if (given === '' || given.startsWith('#')) continue;
    const isShort = given.length <= LONGEST;
    // A label after the address would become part of it.
    if (isShort && !/\s/.test(given) && webAddress(given)) seeds.add(given);
    else if (++wrong <= COMPLAINTS)
      complaints.push(
        isShort
          ? `${path}:${line}: '${given.slice(0, 100)}' is no address of a page; write e.g. https://example.org/about`
          : `${path}:${line}: ${given.length} characters are no address of a page: write one a line`,
      );
  }
  if (wrong > COMPLAINTS) complaints.push(`${path}: and ${wrong - COMPLAINTS} more lines`);
  if (wrong > 0) throw new UserError(complaints.join('\n'));
  if (seeds.size === 0)
    throw new UserError(`${path}: there is no address in it; write one a line, e.g. https://example.org/`);
  return [...seeds];
}

/** In characters: no server takes a longer address. */
const LONGEST = 16_384;
