import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DIGEST_STYLE, digestAtom, digestHtml, replayAddressAt } from '../access/digest/digest-pages.ts';
import { withScheme } from '../access/replay-url.ts';
import { DIGEST_INPUT, digestOf } from './api/digests.ts';
import { checkedQuery } from './api-error.ts';
import type { Origins } from './origins.ts';
import type { ServedArchive } from './served-archive.ts';

const FORMATS = ['html', 'json', 'atom'] as const;
const QUERY = DIGEST_INPUT.extend({
  format: z.enum(FORMATS, `expected one of ${FORMATS.join(', ')}`).default('html'),
});

/** Its one style sheet, and nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(DIGEST_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `/digest/<page>?from&to&format=html|json|atom`: see /api/digest. */
export function digestRoutes({
  archive,
  origins,
}: {
  readonly archive: () => Promise<ServedArchive>;
  readonly origins: () => Origins;
}) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
      const given = checkedQuery(QUERY, { ...(request.query as object), url: request.params['*'] });
      const digest = await digestOf(await archive(), { ...given, url: withScheme(given.url) }, Date.now());
      reply.header('cache-control', 'no-cache');
      const base = origins().ui(request.headers.host);
      const replay = replayAddressAt(base);
      if (given.format === 'json') return reply.send(digest);
      if (given.format === 'atom')
        return reply
          .type('application/atom+xml; charset=utf-8')
          .send(digestAtom(digest, `${base}${request.url}`, replay));
      return reply
        .header('content-security-policy', POLICY)
        .type('text/html; charset=utf-8')
        .send(digestHtml(digest, replay));
    });
  };
}
