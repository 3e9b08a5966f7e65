import { z } from 'zod';
import { PROOF_CLAIMS } from '../../model/proof.ts';
import { at, site } from './parameters.ts';
import { answer } from './route.ts';
import { SIGNED_PROOF } from './schemas/proofs.ts';
import { required } from './work.ts';

export const PROOF_ROUTES = [
  answer({
    method: 'GET',
    path: '/proofs',
    role: 'reader',
    summary: 'Whether a phrase stood on the pages of a site throughout a time, as a signed statement',
    description:
      'From sharp intervals alone: proven, contradicted or unknown, page by page (docs/prove.md). Without `to`, the moment `from`.',
    input: z.object({
      site,
      phrase: z.string().min(1).max(1000).describe('words, without regard to case and white space'),
      claim: z.enum(PROOF_CLAIMS).default('present'),
      from: at,
      to: at.optional(),
    }),
    name: 'SignedProof',
    answer: SIGNED_PROOF,
    async run({ site: of, phrase, claim, from, to = from }, { work }) {
      const iso = (time: number): string => new Date(time).toISOString();
      const time = [`--from=${iso(from)}`, `--to=${iso(to)}`];
      const claimed = claim === 'absent' ? ['--absent'] : [];
      return (await required(work).command(
        ['prove', `--site=${of}`, ...time, ...claimed],
        [phrase],
      )) as z.input<typeof SIGNED_PROOF>;
    },
  }),
];
