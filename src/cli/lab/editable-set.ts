import { readFile } from 'node:fs/promises';
import type { EditedPage, WayOfLooking } from '../../lab/edits/study.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { PageViewer, ViewRequest } from '../../ports/page-viewer.ts';
import { naming } from '../../ports/system-error.ts';
import { filesOf, findAnnotated, urlInSet, withoutTool } from './annotated-set.ts';
import { KeptSnapshots } from './kept-snapshots.ts';
import { openVersionSet } from './version-set.ts';

/** Pages to be edited: saved ones with all their files, or single versions of pages without them. */

export interface EditableOptions {
  readonly snapshots?: string;
  readonly pages?: number;
  readonly only?: readonly string[];
}

/** Milliseconds for one page. */
const TIME_LIMIT = 60 * 1000;
/** Pages shown at once. */
const TABS = 4;
/** Another window, of a common size. */
const WIDER = { width: 1366, height: 768 };

interface PageFile {
  readonly name: string;
  readonly url: string;
  readonly html: Uint8Array;
  readonly answer: (html: Uint8Array) => ViewRequest['answer'];
}

export async function openEditable(
  set: string,
  options: EditableOptions,
): Promise<{ readonly pages: AsyncIterable<EditedPage>; close(): Promise<void> }> {
  const { openPageViewer } = await import('../../archive/look/page-parts.ts');
  const viewers = new Map<boolean, Promise<PageViewer>>();
  const viewer = (wider: boolean): Promise<PageViewer> => {
    const open = viewers.get(wider) ?? openPageViewer({ tabs: TABS, ...(wider ? { viewport: WIDER } : {}) });
    viewers.set(wider, open);
    return open;
  };
  const kept = new KeptSnapshots(options.snapshots);
  const annotated = await findAnnotated(set).catch(() => undefined);
  const { files, close } = annotated
    ? { files: savedPages(set, options), close: async () => {} }
    : await versions(set, options);
  async function* pages(): AsyncGenerator<EditedPage> {
    for await (const file of files) yield editable(file, viewer, kept);
  }
  return {
    pages: pages(),
    async close() {
      for (const open of viewers.values()) await (await open).close();
      await close();
    },
  };
}

function editable(
  { name, url, html, answer }: PageFile,
  viewer: (wider: boolean) => Promise<PageViewer>,
  kept: KeptSnapshots,
): EditedPage {
  const show = async (text: string, look: WayOfLooking) => {
    const bytes = Buffer.from(text, 'latin1');
    const take = async (): Promise<string> => {
      const open = await viewer(look === 'wider');
      const view = await open.view({ url, answer: answer(bytes), scripts: false, timeLimit: TIME_LIMIT });
      if (view.snapshot.kind === 'taken') return view.snapshot.packed;
      throw new Error(`no snapshot: ${view.snapshot.reason}`);
    };
    const nth = look === 'first' ? '' : look;
    return unpackSnapshot(await kept.get(name, 'edits', { url, html: bytes, look: nth }, take));
  };
  return { name, html: Buffer.from(html).toString('latin1'), show };
}

const wanted = (name: string, only: readonly string[] | undefined): boolean =>
  only === undefined || only.some((part) => name.includes(part));

async function* savedPages(folder: string, { pages, only }: EditableOptions): AsyncGenerator<PageFile> {
  const files = (await findAnnotated(folder)).filter(({ site }) => wanted(site, only));
  for (const { site, path } of files.slice(0, pages)) {
    const url = urlInSet(folder, path);
    const html = withoutTool(await naming(path, readFile(path)));
    yield { name: site, url, html, answer: (edited) => filesOf(folder, url, edited) };
  }
}

/** Two versions of each page, its first and its last. */
async function versions(set: string, { pages: most, only }: EditableOptions) {
  const { givenHtml } = await import('../../archive/look/page-parts.ts');
  const { pages, close } = await openVersionSet(set, { only, most: 2 });
  const all = pages.flatMap(({ name, url, versions: own }) => own.map((file) => ({ name, url, ...file })));
  async function* files(): AsyncGenerator<PageFile> {
    for (const { name, url, version, path } of all.slice(0, most)) {
      const html = await naming(path, readFile(path));
      yield {
        name: `${name} ${version}`,
        url,
        html,
        answer: (edited) => givenHtml(url, edited, 'text/html'),
      };
    }
  }
  return { files: files(), close };
}
