/** Bytes between two records that are read along rather than asked for apart. */
const GAP = 16 << 10;
/** Bytes of one read of several records. */
const LONGEST = 1 << 20;

interface WantedRange {
  readonly offset: number;
  readonly length: number;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

export type ReadRange = (path: string, offset: number, length: number) => Promise<Buffer>;

/**
 * Records that are asked for in one turn of the event loop and lie close together are one read: a crawl that meets the pages
 * of an earlier one looks at their records, which stand in the order in which it meets them, and a read costs ten times what
 * its bytes do. Nothing is kept: what is asked for later is read anew.
 */
export function readsTogether(readRange: ReadRange): ReadRange {
  let waiting = new Map<string, WantedRange[]>();

  function readAll(): void {
    const all = waiting;
    waiting = new Map();
    for (const [path, asked] of all) for (const group of neighbours(asked)) void readGroup(path, group);
  }

  async function readGroup(path: string, group: readonly WantedRange[]): Promise<void> {
    const from = group[0]?.offset ?? 0;
    try {
      const bytes = await readRange(path, from, endOf(group) - from);
      // Fewer bytes where the file ends before.
      for (const { offset, length, resolve } of group)
        resolve(bytes.subarray(offset - from, offset - from + length));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (path, offset, length) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(readAll);
      const asked = waiting.get(path) ?? [];
      asked.push({ offset, length, resolve, reject });
      waiting.set(path, asked);
    });
}

const endOf = (group: readonly WantedRange[]): number =>
  group.reduce((end, { offset, length }) => Math.max(end, offset + length), 0);

function neighbours(asked: readonly WantedRange[]): WantedRange[][] {
  const groups: WantedRange[][] = [];
  let from = 0;
  let end = 0;
  for (const one of asked.toSorted((a, b) => a.offset - b.offset)) {
    const next = Math.max(end, one.offset + one.length);
    const group = groups.at(-1);
    if (group && one.offset <= end + GAP && next - from <= LONGEST) group.push(one);
    else {
      groups.push([one]);
      from = one.offset;
    }
    end = groups.at(-1) === group ? next : one.offset + one.length;
  }
  return groups;
}
