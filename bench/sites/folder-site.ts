import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Site } from './site.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  swf: 'application/x-shockwave-flash',
  ttf: 'font/ttf',
  woff: 'font/woff',
  xml: 'text/xml',
};

/** Real pages with what they load, as they lie in a folder: each `index.html` that stands alone in its site is a page. */
export function folderSite(folder: string, count: number): Site & { readonly paths: readonly string[] } {
  const files = new Map<string, { type: string; body: Buffer }>();
  const pages = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const parts = relative(folder, file).split(sep);
    const path = `/${parts.map(encodeURIComponent).join('/')}`;
    const type = TYPES[entry.name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
    files.set(path, { type, body: readFileSync(file) });
    // The page itself lies below its own host; frames of other hosts have an index, too.
    const [site = '', host] = parts;
    const isPage = entry.name === 'index.html' && host === site;
    if (isPage && path.length < (pages.get(site)?.length ?? Number.POSITIVE_INFINITY)) pages.set(site, path);
  }
  const paths = [...pages.values()].toSorted().slice(0, count);
  return { files, pages: paths.length, paths };
}
