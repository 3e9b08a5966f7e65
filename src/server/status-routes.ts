import type { FastifyInstance } from 'fastify';
import type { Millis } from '../model/time.ts';

/** What a process that does more than serve tells of itself. */
export interface ProcessStatus {
  /** What is wrong with it; undefined where nothing is. */
  problem(): string | undefined;
  /** For Prometheus. */
  metrics(): Promise<string>;
  /** For people and scripts. */
  status(): Promise<unknown>;
  /** When it expects to visit a page. */
  nextVisit?(url: string): Promise<Millis | undefined>;
}

/** `/healthz` of every server; `/metrics` and `/api/watch` where there is something to tell. */
export function statusRoutes(process: ProcessStatus | undefined) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/healthz', async (_request, reply) => {
      const problem = process?.problem();
      return reply.code(problem === undefined ? 200 : 503).send({ ok: problem === undefined, problem });
    });
    if (!process) return;
    app.get('/metrics', async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(await process.metrics()),
    );
    app.get('/api/watch', () => process.status());
  };
}
