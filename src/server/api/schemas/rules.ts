import { z } from 'zod';
import { listOf, millis, share } from './field-kinds.ts';

/** As `daguerre rules --json` prints it: docs/json.md names all of it. */
export const DIRECTORY_RULES = z.looseObject({
  site: z.string(),
  versions: listOf(z.object({ at: millis, pages: z.int() })),
  rules: listOf(z.looseObject({ tail: z.string(), confidence: share, words: z.string() })),
  plan: z.looseObject({
    kind: z.enum(['none', 'plan']),
    skips: listOf(z.looseObject({ directory: z.string(), pages: z.int(), rule: z.string() })).optional(),
  }),
  directories: listOf(
    z.object({
      directory: z.string(),
      depth: z.int(),
      pages: z.int(),
      allPages: z.int(),
      degrees: listOf(share.nullable()).describe('of change, per transition; null where nobody looked'),
    }),
  ),
});
export type DirectoryRules = Readonly<z.infer<typeof DIRECTORY_RULES>>;
