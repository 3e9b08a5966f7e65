import { GrowingIntegers } from './growing-integers.ts';
import { parentOf } from './site-path.ts';

/**
 * All directories that any version of a site had, numbered: the shape of the paper's General Delta Tree (§ 4.1).
 * A parent has a smaller number than its children, so sums over subtrees are one pass from the last number to the
 * first, whatever the depth.
 */
export class DirectoryTree {
  readonly #ids = new Map<string, number>();
  readonly #paths: string[] = [];
  readonly #parents = new GrowingIntegers();
  #children: number[][] | undefined;

  constructor() {
    this.idOf('/');
  }

  get size(): number {
    return this.#paths.length;
  }

  /** The number of a directory; it and those above it are added if new. */
  idOf(directory: string): number {
    const known = this.#ids.get(directory);
    if (known !== undefined) return known;
    const missing: string[] = [];
    let at: string | undefined = directory;
    while (at !== undefined && !this.#ids.has(at)) {
      missing.push(at);
      at = parentOf(at);
    }
    let parent = at === undefined ? -1 : (this.#ids.get(at) as number);
    for (const path of missing.reverse()) {
      const id = this.#paths.length;
      this.#ids.set(path, id);
      this.#paths.push(path);
      this.#parents.reserve(id + 1)[id] = parent;
      parent = id;
    }
    this.#children = undefined;
    return parent;
  }

  find(directory: string): number | undefined {
    return this.#ids.get(directory);
  }

  path(id: number): string {
    return this.#paths[id] as string;
  }

  /** −1 for the root. */
  parent(id: number): number {
    return this.#parents.values[id] as number;
  }

  /** 0 for the root. */
  depth(id: number): number {
    return this.path(id).split('/').length - 2;
  }

  children(id: number): readonly number[] {
    this.#children ??= this.#byParent();
    return this.#children[id] ?? [];
  }

  #byParent(): number[][] {
    const children: number[][] = [];
    for (let id = 1; id < this.size; id++) {
      const parent = this.parent(id);
      const siblings = children[parent];
      if (siblings) siblings.push(id);
      else children[parent] = [id];
    }
    return children;
  }
}
