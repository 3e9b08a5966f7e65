import type { Millis } from '../../model/time.ts';
import { DeltaTree } from './delta-tree.ts';
import { DirectoryTree } from './directory-tree.ts';
import { parentOf, sitePath } from './site-path.ts';
import type { SitemapRecord } from './sitemap-trust.ts';
import { type PageChanges, type VersionCounts, VersionDiffer, type VersionPage } from './wd-diff.ts';

/**
 * What is known of one site's past: for every directory, what happened to the pages directly in it between one
 * observation of them and the next. Versions are only added; nothing is recomputed.
 *
 * A directory that a crawl did not look at has no observation in that version: its pages stay as they were, unproven.
 * The next observation of it covers the whole span since the last one.
 */
export interface SiteVersion {
  readonly at: Millis;
  /** The pages seen. */
  readonly pages: Iterable<VersionPage>;
  /** Directories whose own pages were not looked at, as `/a/b/`. A subtree is several. */
  readonly unseen?: Iterable<string>;
  /** By URL: when the page last changed, according to the site's sitemap at the time. Shows how right the sitemap was. */
  readonly lastModified?: ReadonlyMap<string, Millis>;
}

/**
 * What one transition found of each directory's own pages, compared with the previous observation; indexed by directory
 * number. Directories found later lie past the end.
 */
export interface Observations {
  /** Transitions since the previous observation: 1 unless the directory was left out in between. 0: it was not looked at. */
  readonly span: Int32Array;
  /** Own pages at the previous observation. */
  readonly pages: Int32Array;
  readonly inserted: Int32Array;
  readonly deleted: Int32Array;
  readonly updated: Int32Array;
}

export class DirectoryHistory {
  readonly tree = new DirectoryTree();
  /** Degrees of change for transitions to versions that looked at everything: rules are learnt from no others. */
  readonly deltas = new DeltaTree({ tree: this.tree });
  readonly #differ = new VersionDiffer(this.tree);
  /** How right the site's sitemap was, where there was one. */
  readonly sitemap: SitemapRecord = {
    saidSame: 0,
    saidSameWrongly: 0,
    saidChanged: 0,
    saidChangedRightly: 0,
  };
  readonly #times: Millis[] = [];
  readonly #columns: Observations[] = [];
  /** By directory: own pages now, and the version that last looked at them. */
  #pages: Int32Array = new Int32Array(0);
  #seen: Int32Array = new Int32Array(0);
  /** What is known since the last observation of each directory: a pinned page is seen even if the rest of it is not. */
  #open: Observations = noObservations();

  get versions(): number {
    return this.#times.length;
  }

  /** One less than the versions. */
  get transitions(): number {
    return this.#columns.length;
  }

  observations(transition: number): Observations {
    return this.#columns[transition] as Observations;
  }

  /** Of every directory, its own pages at the last observation up to this version; shorter than the tree if some came later. */
  pagesAt(version: number): Int32Array {
    return (this.#columns[version] ?? this.#open).pages;
  }

  /** Transitions between a directory's last observation up to this version and the version after; 0 where that did not look. */
  spanAfter(version: number, directory: number): number {
    const observed = this.#columns[version];
    if (observed !== undefined) return observed.span[directory] ?? 0;
    return this.versions - this.lastSeen(directory);
  }

  timeOf(version: number): Millis {
    return this.#times[version] as Millis;
  }

  /** Pages directly in the directory, by its last observation. */
  pagesIn(directory: number): number {
    return this.#pages[directory] ?? 0;
  }

  /** The version in which its own pages were last looked at. */
  lastSeen(directory: number): number {
    return this.#seen[directory] ?? 0;
  }

  /** The directory of a page; undefined where the last version has no such page. */
  directoryOf(url: string): number | undefined {
    const page = this.#differ.find(url);
    if (page === undefined || this.#differ.digestOf(page) === undefined) return undefined;
    return this.#differ.directoryOf(page);
  }

  /** The directory of a URL, or the nearest known one above it. */
  nearestDirectory(url: string): number {
    let at: string | undefined = sitePath(url).directory;
    for (; at !== undefined; at = parentOf(at)) {
      const known = this.tree.find(at);
      if (known !== undefined) return known;
    }
    return 0;
  }

  /** How a page, as found now, compares with the last version; without a digest: it is gone. */
  changeOf(url: string, digest?: string): 'inserted' | 'deleted' | 'updated' | 'same' {
    const page = this.#differ.find(url);
    const before = page === undefined ? undefined : this.#differ.digestOf(page);
    if (before === digest) return 'same';
    if (before === undefined) return 'inserted';
    return digest === undefined ? 'deleted' : 'updated';
  }

  /** Number of nodes of every subtree in the last version: its pages, and the directories that hold any. */
  subtreeNodes(): Int32Array {
    const nodes = new Int32Array(this.tree.size);
    nodes.set(this.#pages.subarray(0, nodes.length));
    for (let id = nodes.length - 1; id >= 0; id--) {
      if (nodes[id] === 0) continue;
      nodes[id] = (nodes[id] as number) + 1;
      const parent = this.tree.parent(id);
      if (parent >= 0) nodes[parent] = (nodes[parent] as number) + (nodes[id] as number);
    }
    return nodes;
  }

  add({ at, pages, unseen = [], lastModified = new Map() }: SiteVersion): VersionCounts {
    const last = this.#times.at(-1);
    if (last !== undefined && at <= last)
      throw new RangeError(`versions go forward in time: ${at} is not after ${last}`);
    const left = new Set<number>();
    for (const directory of unseen) left.add(this.tree.idOf(directory));
    const { result, changes, counts } = this.#differ.next(pages, left);
    if (this.versions > 0 && left.size === 0) this.deltas.push(result);
    this.#judgeSitemap(lastModified, left, changes);
    const version = this.#times.push(at) - 1;
    this.#grow(version);
    const count = (counted: Int32Array, page: number, by = 1): void => {
      const directory = this.#differ.directoryOf(page);
      counted[directory] = (counted[directory] as number) + by;
    };
    for (const page of changes.inserted) {
      count(this.#open.inserted, page);
      count(this.#pages, page);
    }
    for (const page of changes.deleted) {
      count(this.#open.deleted, page);
      count(this.#pages, page, -1);
    }
    for (const [page] of changes.updated) count(this.#open.updated, page);
    const column = this.#close(version, left);
    // The first version is where the history begins, not a change.
    if (version > 0) this.#columns.push(column);
    return counts;
  }

  #judgeSitemap(
    lastModified: ReadonlyMap<string, Millis>,
    left: ReadonlySet<number>,
    { inserted, updated, deleted }: PageChanges,
  ): void {
    if (lastModified.size === 0 || this.versions === 0) return;
    const isNew = new Set(inserted);
    const isChanged = new Set([...deleted, ...updated.map(([page]) => page)]);
    for (const [url, at] of lastModified) {
      const page = this.#differ.find(url);
      const directory = page === undefined ? -1 : this.#differ.directoryOf(page);
      if (page === undefined || isNew.has(page) || left.has(directory)) continue;
      if (at > this.timeOf(this.lastSeen(directory))) {
        this.sitemap.saidChanged++;
        if (isChanged.has(page)) this.sitemap.saidChangedRightly++;
      } else {
        this.sitemap.saidSame++;
        if (isChanged.has(page)) this.sitemap.saidSameWrongly++;
      }
    }
  }

  #grow(version: number): void {
    const { size } = this.tree;
    this.#pages = grown(this.#pages, size);
    this.#seen = grown(this.#seen, size, version - 1);
    const { pages, inserted, deleted, updated, span } = this.#open;
    this.#open = {
      span: grown(span, size),
      pages: grown(pages, size),
      inserted: grown(inserted, size),
      deleted: grown(deleted, size),
      updated: grown(updated, size),
    };
  }

  /** Ends the spans of the directories that were looked at, and starts their next ones. */
  #close(version: number, left: ReadonlySet<number>): Observations {
    const open = this.#open;
    const column: Observations = {
      span: new Int32Array(this.tree.size),
      pages: open.pages.slice(),
      inserted: open.inserted.slice(),
      deleted: open.deleted.slice(),
      updated: open.updated.slice(),
    };
    for (let directory = 0; directory < column.span.length; directory++) {
      if (left.has(directory)) continue;
      column.span[directory] = version - (this.#seen[directory] as number);
      this.#seen[directory] = version;
      open.pages[directory] = this.#pages[directory] as number;
      open.inserted[directory] = 0;
      open.deleted[directory] = 0;
      open.updated[directory] = 0;
    }
    return column;
  }
}

function grown(values: Int32Array, size: number, fill = 0): Int32Array {
  if (values.length >= size) return values;
  const longer = new Int32Array(size).fill(fill, values.length);
  longer.set(values);
  return longer;
}

function noObservations(): Observations {
  const none = new Int32Array(0);
  return { span: none, pages: none, inserted: none, deleted: none, updated: none };
}
