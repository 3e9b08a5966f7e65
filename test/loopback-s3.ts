import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * As much of S3's protocol as Daguerre speaks, in memory, for quick tests of answers that a real server cannot be made to
 * give. It is no proof that real ones work: test/s3.ts is for those.
 */
export interface LoopbackS3 {
  /** For a process that is to use it. */
  readonly env: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  /** Requests so far: `PUT /bucket/key`. */
  readonly asked: string[];
  /** Called with each request; what it returns is answered in place of the true answer. */
  interfere: (asked: string, body: Buffer) => Interference | undefined;
  close(): Promise<void>;
}

export interface Interference {
  /** `cut`: the connection, before the request is done; `lost`: after it, so that the answer does not arrive. */
  readonly status?: number | 'cut' | 'lost';
  readonly code?: string;
  /** Milliseconds before it is answered truly. */
  readonly after?: number;
}

export const LOOPBACK_BUCKET = 'daguerre-test';

export async function loopbackS3(): Promise<LoopbackS3> {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Map<number, Buffer>>();
  const asked: string[] = [];
  const state: Pick<LoopbackS3, 'interfere'> = { interfere: () => undefined };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const line = `${request.method} ${decodeURIComponent(url.pathname)}`;
    asked.push(line);
    const { status, code = 'InternalError', after = 0 } = state.interfere(line, body) ?? {};
    if (after > 0) await new Promise((resolve) => setTimeout(resolve, after));
    if (status === 'cut') return request.socket.destroy();
    if (typeof status === 'number') return refuse(response, status, code);
    return answer({ request, response, url, body }, objects, parts, status === 'lost');
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    objects,
    asked,
    get interfere() {
      return state.interfere;
    },
    set interfere(next) {
      state.interfere = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
}

function answer(
  { request, response, url, body }: Exchange,
  objects: Map<string, Buffer>,
  parts: Map<string, Map<number, Buffer>>,
  isLost: boolean,
): unknown {
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const send = (
    status: number,
    headers: Record<string, string | number>,
    content: Buffer | string = '',
  ): unknown => {
    if (isLost) return request.socket.destroy();
    return response.writeHead(status, headers).end(content);
  };
  if (bucket !== LOOPBACK_BUCKET) return refuse(response, 404, 'NoSuchBucket');
  const upload = url.searchParams.get('uploadId');
  const object = objects.get(key);
  if (request.method === 'GET' && key === '')
    return send(200, { 'content-type': 'application/xml' }, listing(objects, url.searchParams));
  if (request.method === 'POST' && upload === null) {
    parts.set('u1', new Map());
    return send(
      200,
      {},
      '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
    );
  }
  if (request.method === 'POST') {
    const all = [...(parts.get('u1') ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
    objects.set(key, Buffer.concat(all));
    return send(200, {}, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
  }
  if (request.method === 'PUT') {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    if (upload !== null) parts.get(upload)?.set(Number(url.searchParams.get('partNumber')), body);
    else if (object && request.headers['if-none-match'] === '*')
      return refuse(response, 412, 'PreconditionFailed');
    else objects.set(key, body);
    return send(200, { etag });
  }
  if (request.method === 'DELETE') {
    objects.delete(key);
    return send(204, {});
  }
  if (!object) return refuse(response, 404, 'NoSuchKey');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (request.method === 'HEAD') return send(200, { 'content-length': object.length });
  if (from === undefined) return send(200, { 'content-length': object.length }, object);
  if (Number(from) >= object.length) return refuse(response, 416, 'InvalidRange');
  return send(206, {}, object.subarray(Number(from), Number(to) + 1));
}

function refuse(response: ServerResponse, status: number, code: string): unknown {
  response.writeHead(status, { 'content-type': 'application/xml' });
  return response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Two keys a page, so that paging is tested too. */
function listing(objects: ReadonlyMap<string, Buffer>, asked: URLSearchParams): string {
  const prefix = asked.get('prefix') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const from = Number(asked.get('continuation-token') ?? 0);
  const contents = keys
    .slice(from, from + 2)
    .map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
