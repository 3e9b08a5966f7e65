import { z } from 'zod';
import { listOf, millis } from './field-kinds.ts';

export const LIVE_VISITS = z.object({
  visits: listOf(
    z.object({
      url: z.string(),
      since: millis,
      step: z.string().describe('what is being done with the page'),
    }),
  ),
});
export type LiveVisits = Readonly<z.infer<typeof LIVE_VISITS>>;
