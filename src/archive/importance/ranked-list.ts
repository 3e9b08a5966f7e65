import { readFile } from 'node:fs/promises';
import { naming } from '../../ports/system-error.ts';
import { UserError } from '../user-error.ts';

/**
 * A person's ranking of pages or sites, one per line, the most important first. A rank after a tab overrides the
 * position in the file, so that two may be equal; lines that begin with # are ignored.
 */
export async function readRankedList(file: string): Promise<ReadonlyMap<string, number>> {
  return rankedList(await naming(file, readFile(file, 'utf8')), file);
}

export function rankedList(text: string, file: string): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const fail = (message: string): never => {
      throw new UserError(`${file}:${index + 1}: ${message}`);
    };
    const [name = '', rank, ...more] = line.split('\t').map((part) => part.trim());
    if (more.length > 0 || name === '' || /\s/.test(name))
      fail('expected a URL or a site, and after a tab its rank if it has one');
    const place = rank === undefined || rank === '' ? ranks.size + 1 : Number(rank);
    if (!(place > 0 && Number.isFinite(place))) fail(`expected a rank such as 1, not '${rank}'`);
    if (ranks.has(name)) fail(`${name} is ranked twice`);
    ranks.set(name, place);
  });
  if (ranks.size === 0) throw new UserError(`${file}: no page or site is ranked in it`);
  return ranks;
}
