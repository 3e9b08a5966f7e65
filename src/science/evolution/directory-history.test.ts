import { describe, expect, it } from 'vitest';
import { DirectoryHistory, type Observations } from './directory-history.ts';
import type { VersionPage } from './wd-diff.ts';

/** `{ '/a/x': 1 }` => the page /a/x with the content 1. */
const pages = (contents: Readonly<Record<string, number>>): VersionPage[] =>
  Object.entries(contents).map(([url, content]) => ({ url, digest: String(content) }));

/** What each transition found in the directory; undefined where nobody looked, or it was not known yet. */
function observed(
  history: DirectoryHistory,
  directory: string,
): (Record<keyof Observations, number> | undefined)[] {
  const id = history.tree.find(directory) as number;
  return Array.from({ length: history.transitions }, (_, t) => {
    const { span, pages, inserted, deleted, updated } = history.observations(t);
    const at = (column: Int32Array) => column[id] ?? 0;
    if (at(span) === 0) return undefined;
    return {
      span: at(span),
      pages: at(pages),
      inserted: at(inserted),
      deleted: at(deleted),
      updated: at(updated),
    };
  });
}

describe('DirectoryHistory', () => {
  it('two versions => what happened to the pages lying directly in each directory', () => {
    const history = new DirectoryHistory();
    history.add({ at: 1, pages: pages({ '/x': 1, '/a/x': 1, '/a/y': 1, '/a/b/x': 1 }) });
    history.add({ at: 2, pages: pages({ '/x': 1, '/a/x': 2, '/a/z': 1, '/a/b/x': 1 }) });
    expect(observed(history, '/')).toEqual([{ span: 1, pages: 1, inserted: 0, deleted: 0, updated: 0 }]);
    expect(observed(history, '/a/')).toEqual([{ span: 1, pages: 2, inserted: 1, deleted: 1, updated: 1 }]);
    expect(observed(history, '/a/b/')).toEqual([{ span: 1, pages: 1, inserted: 0, deleted: 0, updated: 0 }]);
  });

  it('a directory left out => no observation, its pages stay, and the next look covers the span', () => {
    const history = new DirectoryHistory();
    history.add({ at: 1, pages: pages({ '/x': 1, '/a/x': 1, '/a/y': 1 }) });
    const counts = history.add({ at: 2, pages: pages({ '/x': 2 }), unseen: ['/a/'] });
    expect(counts).toMatchObject({ pages: 3, updated: 1, deleted: 0 });
    history.add({ at: 3, pages: pages({ '/x': 2, '/a/x': 2 }) });
    expect(observed(history, '/a/')).toEqual([
      undefined,
      { span: 2, pages: 2, inserted: 0, deleted: 1, updated: 1 },
    ]);
    expect(history.lastSeen(history.tree.find('/a/') as number)).toBe(2);
  });

  it('a pinned page of a directory left out => counts at the next look at the directory, not before', () => {
    const history = new DirectoryHistory();
    history.add({ at: 1, pages: pages({ '/a/x': 1, '/a/y': 1 }) });
    history.add({ at: 2, pages: pages({ '/a/x': 2 }), unseen: ['/a/'] });
    history.add({ at: 3, pages: pages({ '/a/x': 2, '/a/y': 1 }) });
    expect(observed(history, '/a/')).toEqual([
      undefined,
      { span: 2, pages: 2, inserted: 0, deleted: 0, updated: 1 },
    ]);
  });

  it('a version that is not later than the last => refused', () => {
    const history = new DirectoryHistory();
    history.add({ at: 2, pages: [] });
    expect(() => history.add({ at: 2, pages: [] })).toThrow('forward in time');
  });

  it('a page as found now => what it is against the last version', () => {
    const history = new DirectoryHistory();
    history.add({ at: 1, pages: pages({ '/a/x': 1, '/a/y': 1 }) });
    expect(history.changeOf('http://site/a/x', '1')).toBe('same');
    expect(history.changeOf('/a/x', '2')).toBe('updated');
    expect(history.changeOf('/a/y')).toBe('deleted');
    expect(history.changeOf('/a/z', '1')).toBe('inserted');
    expect(history.changeOf('/a/z')).toBe('same');
  });
});
