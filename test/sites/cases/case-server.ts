/** A server that keeps what it was asked and what it answered, exchange by exchange, for comparison with an archive. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

export type Coding = 'gzip' | 'br' | 'deflate';

export interface CaseAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly coding?: Coding;
  /** Without a Content-Length. */
  readonly chunked?: boolean;
  /** The connection ends after this share of the body. */
  readonly cutAt?: number;
}

export interface SeenExchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly requestBody: Buffer;
  /** The body as it was sent, its content coding included, its chunks not. */
  readonly sent: Buffer;
  /** The body without any coding: of an answer that is cut, what a reader can make of what was sent is not said here. */
  readonly content: Buffer;
  readonly coding: Coding | undefined;
  readonly isCut: boolean;
}

export type Answering = (request: http.IncomingMessage, body: Buffer) => CaseAnswer | undefined;

const CODERS: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
};

export interface CaseServer {
  readonly url: string;
  readonly seen: readonly SeenExchange[];
  close(): void;
}

export async function startCaseServer(answering: Answering): Promise<CaseServer> {
  const seen: SeenExchange[] = [];
  let url = '';
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const requestBody = Buffer.concat(parts);
      const answer = answering(request, requestBody) ?? {
        status: 404,
        type: 'text/plain',
        body: 'no such case',
      };
      const content = Buffer.from(answer.body ?? '');
      const whole = answer.coding ? CODERS[answer.coding](content) : content;
      const isCut = answer.cutAt !== undefined;
      const sent = isCut ? whole.subarray(0, Math.floor(whole.length * (answer.cutAt ?? 1))) : whole;
      const { status = 200, coding } = answer;
      const method = request.method ?? '';
      seen.push({ method, url: url + request.url, status, requestBody, sent, content, coding, isCut });
      response.writeHead(status, {
        'Content-Type': answer.type ?? 'text/html; charset=utf-8',
        ...(answer.chunked ? {} : { 'Content-Length': whole.length }),
        ...(coding && { 'Content-Encoding': coding }),
        ...answer.headers,
      });
      if (!isCut) response.end(sent);
      // Once all of it has left: else what the other side got would be a matter of chance.
      else response.write(sent, () => request.socket.end(() => request.socket.destroy()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
