/** Processor time that a build's server takes for the answers of a page, asked one after the other without a browser. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { Serving } from './replay-sides.ts';

/** A page as its document loads it. */
export interface LoadedPage {
  readonly url: string;
  readonly parts: readonly string[];
}

export interface ProcessorTime {
  /** Milliseconds for each document alone, each part that is asked for by itself, and a document with its parts behind it. */
  readonly document: number;
  readonly part: number;
  readonly withParts: number;
}

/** Requests of each kind: the kernel counts in hundredths of a second. */
const ASKED = 300;

export async function processorTime(
  server: Serving,
  pages: readonly LoadedPage[],
): Promise<ProcessorTime | undefined> {
  if (spent(server.pid) === undefined) return undefined;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const replay = new URL(server.replayUrl);
  const ask = (url: string, headers: Record<string, string>): Promise<void> =>
    new Promise((done, fail) => {
      const path = `/wabac/${server.collection}/${url}`;
      const { hostname: host, port } = replay;
      const request = http.get({ host, port, path, agent, headers }, (answer) => {
        answer.on('end', done).resume();
      });
      request.on('error', fail);
    });
  const each = async (urls: readonly string[], headers: Record<string, string>): Promise<number> => {
    for (const url of urls) await ask(url, headers);
    const before = spent(server.pid) ?? 0;
    for (let i = 0; i < ASKED; i++) await ask(urls[i % urls.length] ?? '', headers);
    return ((spent(server.pid) ?? 0) - before) / ASKED;
  };
  const documents = pages.map(({ url }) => url);
  const asDocument = { 'x-replay-document': '1', accept: 'text/html' };
  const result = {
    document: await each(documents, asDocument),
    part: await each(
      pages.flatMap(({ parts }) => parts),
      {},
    ),
    withParts: await each(documents, { ...asDocument, 'x-replay-parts': '1' }),
  };
  agent.destroy();
  return result;
}

/** Milliseconds of the process so far; undefined where the system does not tell. */
function spent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold blanks; the 14th and 15th field are hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
