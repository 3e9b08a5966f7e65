/** The peak memory of a command and all its children together. */
import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds between two readings. */
const PERIOD = 200;

export interface MemoryWatch {
  /** In bytes; memory pages shared by processes are counted once, proportionally. */
  stop(): Promise<number>;
}

export function watchMemory(root: number): MemoryWatch {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await memoryBelow(root));
      await new Promise((resolve) => setTimeout(resolve, PERIOD));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return most;
    },
  };
}

async function memoryBelow(root: number): Promise<number> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    // The name in parentheses may contain spaces; field 4 is the parent.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const all = [root];
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  const shares = await Promise.all(
    all.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
    }),
  );
  return shares.reduce((sum, share) => sum + share, 0);
}
