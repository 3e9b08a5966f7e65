import { z } from 'zod';
import { site } from './parameters.ts';
import { answer } from './route.ts';
import { DIRECTORY_RULES } from './schemas/rules.ts';
import { required } from './work.ts';

export const RULE_ROUTES = [
  answer({
    method: 'GET',
    path: '/rules',
    role: 'reader',
    summary: 'Directories of a site over its crawls, and the rules by which the next one may leave some out',
    input: z.object({ site }),
    isKept: true,
    name: 'DirectoryRules',
    answer: DIRECTORY_RULES,
    run: async ({ site: of }, { work }) =>
      (await required(work).command(['rules', `--site=${of}`])) as z.input<typeof DIRECTORY_RULES>,
  }),
];
