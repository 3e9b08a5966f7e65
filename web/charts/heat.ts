/** A directory of a site over its recrawls. */
export interface DirectoryHeat {
  readonly directory: string;
  readonly pages: number;
  /** Degree of change in [0, 1] at each transition, oldest first; null where nobody looked. */
  readonly degrees: readonly (number | null)[];
  /** What the next crawl would do with it, in words; absent where it is visited as always. */
  readonly rule?: string;
}

export interface HeatNode extends DirectoryHeat {
  /** Its own name below its parent. */
  readonly name: string;
  readonly depth: number;
  readonly children: readonly HeatNode[];
}

interface Growing extends DirectoryHeat {
  name: string;
  depth: number;
  children: Growing[];
}

/** Each directory below the nearest one above it that is listed. */
export function heatTree(rows: readonly DirectoryHeat[]): readonly HeatNode[] {
  const roots: Growing[] = [];
  const above: Growing[] = [];
  for (const row of [...rows].sort((a, b) => (a.directory < b.directory ? -1 : 1))) {
    while (above.length > 0 && !row.directory.startsWith(above.at(-1)?.directory ?? '')) above.pop();
    const parent = above.at(-1);
    const node: Growing = {
      ...row,
      name: row.directory.slice(parent?.directory.length ?? 0) || row.directory,
      depth: above.length,
      children: [],
    };
    (parent?.children ?? roots).push(node);
    above.push(node);
  }
  return roots;
}
