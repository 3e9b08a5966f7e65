/**
 * Real saved pages on loopback, for `bench/check.ts`: those of an annotated set with all their files, and single versions of news
 * pages whose pictures, which nobody kept, are stood in for by pictures of the set. Other hosts are made paths of this server,
 * and a policy keeps the browser from asking any: nothing but loopback is ever asked.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
};
const OWN_ONLY =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; base-uri 'self'; form-action 'none'";
/** Bytes: smaller ones are spacers. */
const REAL_PICTURE = 2000;

export interface SavedPages {
  readonly origin: string;
  /** Paths. */
  readonly pages: readonly string[];
  close(): Promise<void>;
}

export async function startSavedPages(
  set: string,
  versions: string | undefined,
  count: number,
): Promise<SavedPages> {
  const files = readdirSync(set, { recursive: true, encoding: 'utf8' }).sort();
  const saved = files
    .filter((file) => path.basename(file) === 'index.dom.html')
    .map((file) => path.join(path.dirname(file), 'index.html'))
    .filter((file) => existsSync(path.join(set, file)));
  const pool = files.filter((file) => {
    if (!/\.(?:jpe?g|png)$/i.test(file)) return false;
    const found = statSync(path.join(set, file));
    return found.isFile() && found.size > REAL_PICTURE;
  });
  const single = versions === undefined ? [] : everyNth(versions, Math.max(0, count - saved.length));
  const pages = [
    ...saved.map((file) => `/set/${encoded(file)}`),
    ...single.map((file) => `/v/${encoded(file)}`),
  ];

  const server = createServer((request, response) => {
    const asked = pathOf(request.url ?? '/');
    if (asked === undefined) return send(response, 400, 'text/plain', Buffer.from('no such address'));
    const [, kind = '', ...rest] = asked.split('/');
    const inside = rest.filter((part) => part !== '..').join('/');
    if (asked === '/') return send(response, 200, 'text/html', Buffer.from(listOf(pages)));
    const file =
      kind === 'set' ? path.join(set, inside) : kind === 'v' ? path.join(versions ?? set, inside) : '';
    if (file !== '' && existsSync(file) && statSync(file).isFile()) {
      const home = kind === 'set' ? `/set/${encodeURIComponent(rest[0] ?? '')}/` : '/x/';
      return send(response, 200, typeOf(file), localised(file, home));
    }
    // A picture of another host that was not kept with a version: one of the set, always the same.
    const picture =
      kind === 'x' && /\.(?:jpe?g|png|webp)$/i.test(asked) ? pool[numberOf(asked) % pool.length] : undefined;
    if (picture) return send(response, 200, typeOf(picture), readFileSync(path.join(set, picture)));
    send(response, 404, 'text/plain', Buffer.from('not here'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    pages: pages.slice(0, count),
    close: () => new Promise((done) => server.close(() => done())),
  };
}

/** Pages of 2013 name files in any encoding. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://x').pathname).replaceAll('\0', '');
  } catch {
    return undefined;
  }
}

const encoded = (file: string): string => file.split(path.sep).map(encodeURIComponent).join('/');
const typeOf = (file: string): string =>
  TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
const numberOf = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE(0);
const listOf = (pages: readonly string[]): string =>
  `<!doctype html><title>pages</title>${pages.map((page) => `<a href="${page}">${page}</a>\n`).join('')}`;

function everyNth(folder: string, count: number): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .sort();
  const step = Math.max(1, Math.floor(all.length / Math.max(1, count)));
  return all.filter((_, i) => i % step === 0).slice(0, count);
}

/** Addresses of any host as paths below `home`, in pages, styles and scripts; bytes stay bytes. */
function localised(file: string, home: string): Buffer {
  const bytes = readFileSync(file);
  if (!/\.(?:html?|css|js)$/i.test(file)) return bytes;
  const text = bytes.toString('latin1');
  return Buffer.from(
    text.replace(/(?<=["'(\s=])(?:https?:)?\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?=[/"')?])/gi, `${home}$1`),
    'latin1',
  );
}

function send(response: ServerResponse, status: number, type: string, body: Buffer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
    'content-security-policy': OWN_ONLY,
  });
  response.end(body);
}
