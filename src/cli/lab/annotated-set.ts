import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../../archive/user-error.ts';
import type { SetItem } from '../../lab/segmentation/measure.ts';
import { memoryBody } from '../../model/body.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { PageViewer, ViewRequest } from '../../ports/page-viewer.ts';
import { naming } from '../../ports/system-error.ts';
import { isMachineFault } from '../explain-error.ts';
import type { KeptSnapshots } from './kept-snapshots.ts';

/** The set's fictitious address: a name that no host can have. */
const BASE = 'http://pages.invalid/';
/** Milliseconds for one page. */
const TIME_LIMIT = 60 * 1000;

export interface AnnotatedFile {
  /** Folder in the set: one site each. */
  readonly site: string;
  readonly path: string;
}

/** `<site>/…/*.blocks.html`, the first of each site. */
export async function findAnnotated(folder: string): Promise<AnnotatedFile[]> {
  const found: AnnotatedFile[] = [];
  const sites = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new UserError(`'${folder}' is no folder of annotated pages`);
  });
  for (const site of sites) {
    if (!site.isDirectory()) continue;
    const files = await readdir(join(folder, site.name), { recursive: true });
    const [first] = files.filter((name) => name.endsWith('.blocks.html')).sort();
    if (first !== undefined) found.push({ site: site.name, path: join(folder, site.name, first) });
  }
  if (found.length === 0) throw new UserError(`'${folder}' holds no annotated page (*.blocks.html)`);
  return found.sort((a, b) => (a.site < b.site ? -1 : 1));
}

export interface ShowAnnotatedOptions {
  readonly viewer: () => Promise<PageViewer>;
  readonly kept: KeptSnapshots;
  /** A page that could not be shown is left out of the measurement, but not of the report. */
  readonly onUnseen: (site: string, reason: string) => void;
}

export const urlInSet = (folder: string, path: string): string =>
  BASE + relative(folder, path).split(sep).map(encodeURIComponent).join('/');

/** Pages as they were when people marked them: saved after their scripts had run, so none runs again. */
export async function* showAnnotated(
  folder: string,
  files: readonly AnnotatedFile[],
  { viewer, kept, onUnseen }: ShowAnnotatedOptions,
): AsyncGenerator<SetItem> {
  for (const { site, path } of files) {
    const html = await naming(path, readFile(path));
    try {
      const snapshot = await lookAtAnnotated(
        { folder, path, site, version: 'annotated', html },
        { viewer, kept },
      );
      yield { name: site, snapshot };
    } catch (error) {
      if (isMachineFault(error)) throw error;
      onUnseen(site, error instanceof Error ? error.message : String(error));
    }
  }
}

/** A page of an annotated set, whole or edited, with the files next to it. */
export interface AnnotatedLook extends AnnotatedFile {
  /** Of the set. */
  readonly folder: string;
  /** Distinguishes several versions of a page. */
  readonly version: string;
  readonly html: Uint8Array;
}

export async function lookAtAnnotated(
  { folder, path, site, version, html }: AnnotatedLook,
  { viewer, kept }: Pick<ShowAnnotatedOptions, 'viewer' | 'kept'>,
): Promise<PageSnapshot> {
  const url = urlInSet(folder, path);
  const shown = withoutTool(html);
  const look = async (): Promise<string> => {
    const answer = filesOf(folder, url, shown);
    const view = await (await viewer()).view({ url, answer, scripts: false, timeLimit: TIME_LIMIT });
    if (view.snapshot.kind === 'taken') return view.snapshot.packed;
    throw new Error(`no snapshot: ${view.snapshot.reason}`);
  };
  return unpackSnapshot(await kept.get(site, version, { url, html: shown, look: '' }, look));
}

/** Rules that the annotation tool added to draw its marks. */
const TOOL_RULES = [
  /\*\[data-block\]\s*\{[^}]*\}/g,
  /\.highlight \{box-shadow: inset 0 0 0 10px rgba\(220,221,222,1\)[^}]*\}/g,
];
/** The tool's dialog was open when pages were saved. */
const NO_DIALOG = '<style>.ui-dialog:has(#popupDialog) { display: none !important }</style>';

/** The page without what the annotation tool left in it; the marks themselves do not change any box. */
export function withoutTool(html: Uint8Array): Uint8Array {
  let text = Buffer.from(html).toString('latin1');
  for (const rule of TOOL_RULES) text = text.replace(rule, '');
  const head = text.search(/<\/head\s*>/i);
  text = head < 0 ? text + NO_DIALOG : text.slice(0, head) + NO_DIALOG + text.slice(head);
  return Buffer.from(text, 'latin1');
}

/** Media types that browsers require; the rest they detect. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.php': 'text/html',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Files were saved under their whole address: `style.css?v=3` is a file name. */
export function filesOf(folder: string, page: string, html: Uint8Array): ViewRequest['answer'] {
  const root = resolve(folder);
  const given = (bytes: Uint8Array, name: string) => {
    const type = TYPES[extname(name.split('?', 1)[0] ?? '').toLowerCase()];
    return {
      status: 200,
      headers: type === undefined ? [] : [['content-type', type] as const],
      body: memoryBody(bytes),
      framing: 'identity' as const,
    };
  };
  return async (asked) => {
    if (asked === page) return given(html, '.html');
    if (!asked.startsWith(BASE)) return undefined;
    const [path = ''] = asked.slice(BASE.length).split('?', 1);
    for (const name of [asked.slice(BASE.length), path, `${path}/index.html`].map(decoded)) {
      const file = resolve(root, name);
      if (!file.startsWith(root + sep)) continue;
      const bytes = await readFile(file).catch(() => undefined);
      if (bytes) return given(bytes, name);
    }
    return undefined;
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
