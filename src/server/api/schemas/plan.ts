import { z } from 'zod';
import { listOf, millis } from './field-kinds.ts';

export const PLAN = z.object({
  rounds: listOf(
    z.object({
      at: millis,
      visits: listOf(
        z.object({
          url: z.string(),
          kind: z.enum(['forced', 'refresh', 'source', 'discover', 'audit']),
          value: z.number().describe('expected importance that it brings'),
          cost: z.number().describe('requests that it takes'),
          reason: z.string(),
        }),
      ),
      captures: listOf(
        z.object({ site: z.string(), value: z.number(), cost: z.number(), reason: z.string() }),
      ),
    }),
  ),
});
export type PlanAnswer = Readonly<z.infer<typeof PLAN>>;
