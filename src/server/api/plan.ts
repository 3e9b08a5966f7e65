import { z } from 'zod';
import { RequestProblem } from '../api-error.ts';
import { answer } from './route.ts';
import { PLAN } from './schemas/plan.ts';
import { fromWatchFile } from './watch-file.ts';

export const PLAN_ROUTES = [
  answer({
    method: 'GET',
    path: '/plan',
    role: 'reader',
    summary: 'What a watch would visit next, and why',
    input: z.object({ hours: z.coerce.number().int().min(1).max(48).default(1).describe('how far ahead') }),
    isKept: true,
    name: 'Plan',
    answer: PLAN,
    async run({ hours }, { work }) {
      const rounds = await fromWatchFile(work?.plan(hours));
      if (!rounds)
        throw new RequestProblem(
          404,
          'no watch is configured',
          "run 'daguerre watch', or name its file in that of the server",
        );
      return { rounds: rounds.map(({ at, round: { visits, captures } }) => ({ at, visits, captures })) };
    },
  }),
];
