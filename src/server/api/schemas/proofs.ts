import { z } from 'zod';
import { PROOF_ANSWERS } from '../../../model/proof.ts';
import { listOf } from './field-kinds.ts';

/** As `daguerre prove --json` prints it: schemas and words in docs/prove.md. The signature is over all of the statement. */
export const SIGNED_PROOF = z.looseObject({
  algorithm: z.string(),
  publicKey: z.string(),
  signature: z.string(),
  statement: z.looseObject({
    madeAt: z.string(),
    query: z.looseObject({ site: z.string(), phrase: z.string(), claim: z.string() }),
    answers: z.object({ proven: z.int(), contradicted: z.int(), unknown: z.int() }),
    pages: listOf(
      z.looseObject({
        url: z.string(),
        answer: z.enum(PROOF_ANSWERS),
        why: z.string(),
        intervals: listOf(z.looseObject({})),
      }),
    ),
  }),
});
