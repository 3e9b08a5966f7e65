import { z } from 'zod';

/** What went wrong: problem details of RFC 9457, with what to do about it. */
export const PROBLEM = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened. */
  detail: z.string().describe('what happened'),
  hint: z.string().describe('what to do about it'),
});
export type Problem = z.infer<typeof PROBLEM>;
