import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'vitest';
import { createZip } from '../../src/warc/wacz/zip-writer.ts';
import { capturesOf, daguerre } from './daguerre.ts';

/* Records and packages as other tools write them. */

const CREATED = Date.UTC(2026, 0, 2);

export function warcRecord(
  url: string,
  body: string,
  id = url,
  date = '2020-01-02T03:04:05Z',
  version = '1.0',
): string {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>${body.slice(0, 20)}</title>${body}`;
  const fields = [
    `WARC/${version}`,
    'WARC-Type: response',
    `WARC-Record-ID: <urn:x:${createHash('sha1').update(id).digest('hex')}>`,
    `WARC-Date: ${date}`,
    `WARC-Target-URI: ${url}`,
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${Buffer.byteLength(block)}`,
  ];
  return `${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`;
}

/** As our own journals hold them. */
export const jsonRecord = (type: string, target: string, text: string, id: number): string =>
  [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000${id}>`,
    'WARC-Date: 2024-01-01T00:00:00Z',
    ...(target ? [`WARC-Target-URI: ${target}`] : []),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    `${text}\r\n\r\n`,
  ].join('\r\n');

export interface Report {
  readonly files: number;
  readonly already: number;
  readonly captures: number;
  readonly errors: readonly { file: string; reason: string }[];
  readonly warnings: readonly { reason: string }[];
  readonly notes: readonly { reason: string }[];
  readonly signatures: readonly { verdict: string; by?: string; reasons: readonly string[] }[];
}

export async function bring(archive: string, ...files: string[]) {
  const run = await daguerre(['import', ...files, '--archive', archive, '--json']);
  expect(run.stderr).not.toMatch(/^\s+at /m);
  return { code: run.code, stderr: run.stderr, report: run.code === 2 ? undefined : run.json<Report>() };
}

export const webCaptures = async (archive: string) =>
  (await capturesOf(archive))
    .filter(({ url }) => !url.startsWith('urn:import:'))
    .map(({ url, at, status, mime, digest }) => ({ url, at, status, mime, digest }));

/** A WACZ with what a test wants to be wrong with it. */
const SAYS = { profile: 'data-package', wacz_version: '1.1.1' };

export async function wacz(
  path: string,
  entries: Readonly<Record<string, string>>,
  more: {
    readonly listed?: readonly string[];
    readonly unlisted?: readonly string[];
    readonly signed?: (hash: string) => object;
    /** What the package says of itself beside its files. */
    readonly says?: object;
  } = {},
): Promise<void> {
  const zip = await createZip(path, CREATED);
  const add = async (name: string, text: string): Promise<void> => {
    await zip.add(
      name,
      (async function* () {
        yield Buffer.from(text);
      })(),
      'store',
    );
  };
  for (const [name, text] of Object.entries(entries)) await add(name, text);
  const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const names = Object.keys(entries).filter((name) => !more.unlisted?.includes(name));
  const resources = [...names, ...(more.listed ?? [])].map((name) => ({
    name,
    path: name,
    hash: sha256(entries[name] ?? ''),
    bytes: Buffer.byteLength(entries[name] ?? ''),
  }));
  const datapackage = JSON.stringify({ ...(more.says ?? SAYS), resources });
  await add('datapackage.json', datapackage);
  const hash = sha256(datapackage);
  await add(
    'datapackage-digest.json',
    JSON.stringify({ path: 'datapackage.json', hash, ...(more.signed && { signedData: more.signed(hash) }) }),
  );
  await zip.finish();
}

export const PAGES = '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}\n';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
export const signed = (over: (hash: string) => string) => (hash: string) => ({
  hash,
  created: '2026-01-02T00:00:00Z',
  software: 'test',
  signature: sign('sha256', Buffer.from(over(hash)), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64'),
  publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
});
