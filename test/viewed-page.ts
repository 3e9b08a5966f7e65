import { afterAll, beforeAll } from 'vitest';
import { givenHtml } from '../src/capture/browser/local-answers.ts';
import { openPageViewer } from '../src/capture/browser/page-viewer.ts';
import type { PageSnapshot, SnapshotElement, SnapshotStyle } from '../src/model/page-snapshot.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import type { PageViewer, View, ViewRequest } from '../src/ports/page-viewer.ts';

/** For tests: pages given as HTML, shown in a real browser, and what their snapshots hold. */
export const URL_OF_PAGE = 'http://page.test/folder/page.html';
let viewer: PageViewer;

/** Called once by each test file. */
export function useViewer(): void {
  beforeAll(async () => {
    viewer = await openPageViewer();
  });
  afterAll(() => viewer.close());
}

export function view(html: string | Uint8Array, more: Partial<ViewRequest> = {}): Promise<View> {
  return viewer.view({
    url: URL_OF_PAGE,
    answer: givenHtml(URL_OF_PAGE, html),
    scripts: true,
    timeLimit: 30_000,
    ...more,
  });
}

export function opened({ snapshot }: View): PageSnapshot {
  if (snapshot.kind === 'none') throw new Error(`no snapshot: ${snapshot.reason}`);
  return unpackSnapshot(snapshot.packed);
}

export async function snapshotOf(html: string, more: Partial<ViewRequest> = {}): Promise<PageSnapshot> {
  return opened(await view(html, more));
}

/** Pages by URL, as HTML. */
export function pages(all: Readonly<Record<string, string>>): Partial<ViewRequest> {
  return {
    answer: async (url) => (all[url] === undefined ? undefined : givenHtml(url, all[url])(url)),
  };
}

export function byId(snapshot: PageSnapshot, id: string): SnapshotElement {
  const found = snapshot.nodes.find((node) => node.kind === 'element' && node.attributes.id === id);
  if (found?.kind !== 'element') throw new Error(`no element #${id}`);
  return found;
}

export function ids(snapshot: PageSnapshot): string[] {
  return snapshot.nodes.flatMap((node) =>
    node.kind === 'element' && node.attributes.id !== undefined ? [node.attributes.id] : [],
  );
}

export function texts(snapshot: PageSnapshot): string[] {
  return snapshot.nodes.flatMap((node) => (node.kind === 'text' ? [node.text] : []));
}

export function tags(snapshot: PageSnapshot): string[] {
  return snapshot.nodes.flatMap((node) => (node.kind === 'element' ? [node.tag] : []));
}

export function styleOf(snapshot: PageSnapshot, id: string): SnapshotStyle {
  return snapshot.styles[byId(snapshot, id).style] as SnapshotStyle;
}

/** The element that holds a text. */
export function holderOf(snapshot: PageSnapshot, text: string): SnapshotElement {
  const node = snapshot.nodes.find((each) => each.kind === 'text' && each.text === text);
  const parent = node && snapshot.nodes[node.parent];
  if (parent?.kind !== 'element') throw new Error(`no text ${text}`);
  return parent;
}
