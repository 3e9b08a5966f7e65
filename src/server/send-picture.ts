import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { CaptureResolver } from '../access/resolve-capture.ts';
import { header } from '../model/exchange.ts';
import { RequestProblem } from './api-error.ts';
import { INERT_POLICY } from './security-headers.ts';

/** Kinds of picture that cannot carry a script. SVG can. */
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

type Found = Awaited<ReturnType<CaptureResolver['resolve']>>;

/** A picture out of the archive, as an image and nothing else. */
export async function sendPicture(reply: FastifyReply, found: Found, what: string): Promise<FastifyReply> {
  if (found.kind !== 'found')
    throw new RequestProblem(404, `no ${what}`, 'archive it with --render always to get one');
  const { headers, payload } = found.capture;
  const type = header(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!PICTURES.has(type)) {
    await payload.release();
    throw new RequestProblem(415, `the ${what} is '${type}', no picture`, 'nothing to do');
  }
  reply.raw.once('close', () => void payload.release());
  return reply
    .type(type)
    .header('content-security-policy', INERT_POLICY)
    .header('cache-control', 'private, max-age=3600')
    .send(payload.bytes ? Buffer.from(payload.bytes) : Readable.from(payload.chunks()));
}
