/** Answers for a PageViewer that do not come from an archive: given HTML, files on disk. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { memoryBody } from '../../model/body.ts';
import type { KeptAnswer, ViewRequest } from '../../ports/page-viewer.ts';

/** One document and nothing else: the HTML of a version, or a test's. */
export function givenHtml(
  url: string,
  html: Uint8Array | string,
  contentType = 'text/html; charset=utf-8',
): ViewRequest['answer'] {
  const document = plainAnswer(typeof html === 'string' ? Buffer.from(html) : html, contentType);
  return async (asked) => (asked === url.split('#', 1)[0] ? document : undefined);
}

/** Media types the browser does not detect itself. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
};

/**
 * The files under a folder, as if `base` (ending in `/`) were its address: a saved page with what it embeds. The
 * document itself declares its character set.
 */
export function folderAnswers(folder: string, base: string): ViewRequest['answer'] {
  const root = path.resolve(folder);
  return async (asked) => {
    if (!asked.startsWith(base)) return undefined;
    const [name = ''] = asked.slice(base.length).split('?', 1);
    const file = path.resolve(root, decoded(name));
    if (!file.startsWith(root + path.sep)) return undefined;
    const bytes = await readFile(file).catch(() => undefined);
    return bytes && plainAnswer(bytes, TYPES[path.extname(file).toLowerCase()]);
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function plainAnswer(bytes: Uint8Array, contentType: string | undefined): KeptAnswer {
  return {
    status: 200,
    headers: contentType === undefined ? [] : [['content-type', contentType]],
    body: memoryBody(bytes),
    framing: 'identity',
  };
}
