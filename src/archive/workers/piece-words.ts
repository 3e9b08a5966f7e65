import { hostname } from 'node:os';
import type { Crawl } from '../../model/crawl.ts';
import type { HandedCrawl } from '../../model/worker.ts';
import type { SharedArchive } from '../open/open-shared.ts';
import { siteOfQueue } from './left-analyses.ts';

/** What a worker does, for `daguerre workers`. A round of a watch has no seeds. */
export function pieceWords(
  { id, spec }: Pick<Crawl, 'id' | 'spec'>,
  { queue }: Pick<HandedCrawl, 'queue'>,
  waiting: number,
): string {
  const name = spec.seeds[0] ?? `round of a watch, ${siteOfQueue(queue)}`;
  return `crawl ${id}: ${name}, ${waiting} waiting`;
}

/** Why a worker left, for whoever has to find the disk that is full. */
export function leavingWords(
  { workerId, folder }: Pick<SharedArchive, 'workerId' | 'folder'>,
  why: string,
): string {
  return `worker ${workerId} (${hostname()}, ${folder.root}): ${why}`;
}
