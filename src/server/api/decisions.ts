import { z } from 'zod';
import { listedDecisions } from '../../archive/decisions/decide.ts';
import { DECISION_DRAFT } from '../../archive/decisions/decision-schema.ts';
import { decisionStamp } from '../../archive/decisions/decision-stamp.ts';
import { decisionTarget } from '../../archive/given/decision-target.ts';
import { RequestProblem } from '../api-error.ts';
import { done } from '../write-routes.ts';
import { answer, COUNTED, counted, list, NO_INPUT } from './route.ts';
import { DECISION, MADE_DECISIONS } from './schemas/decisions.ts';
import { required } from './work.ts';

const target = z.string().min(1).max(4000).describe('a page, a site or a pattern with *');

export const DECISION_ROUTES = [
  list({
    path: '/decisions',
    summary: 'What people have decided, newest first',
    description:
      'The ETag of the list with `target` is what If-Match takes when a decision about that target is made: whoever decides with ' +
      'it is told (412) where somebody has decided since.',
    input: z.object({
      target: target.optional().describe('those alone that touch it'),
      state: z.enum(['holds', 'ended', 'undone']).optional(),
    }),
    name: 'Decision',
    row: DECISION,
    after: COUNTED,
    async rows({ target: of, state, limit, after }, { archive, now }) {
      const made = await (await archive()).told.made();
      const targets = of === undefined ? [] : [decisionTarget(of)];
      const all = listedDecisions(made, now(), targets);
      const shown = all.filter((one) => state === undefined || one.state === state).reverse();
      return { ...counted(shown, limit, after), etag: `"${decisionStamp(made, targets)}"` };
    },
  }),
  answer({
    method: 'POST',
    path: '/decisions',
    role: 'editor',
    summary: 'Decides about pages, sites or patterns',
    description: 'Holds at once, also in a crawl or watch that runs. In a session, `by` is who is logged in.',
    input: NO_INPUT,
    body: DECISION_DRAFT.omit({ seen: true }).extend({ by: DECISION_DRAFT.shape.by.optional() }),
    name: 'MadeDecisions',
    answer: MADE_DECISIONS,
    async run({ body }, { work, identity, request }) {
      const by = identity.name ?? body.by;
      if (by === undefined)
        throw new RequestProblem(400, 'by: a decision says who decided and why', 'give by');
      const seen = stampIn(request.headers['if-match']);
      const draft = { ...body, by, ...(seen !== undefined && { seen }) };
      return done('decide', await required(work).ask('decide', draft)) as z.input<typeof MADE_DECISIONS>;
    },
  }),
];

/** Undefined where any state will do. */
function stampIn(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, stamp] = /^\s*"([^"]{1,100})"\s*$/.exec(header) ?? [];
  if (stamp === undefined)
    throw new RequestProblem(
      400,
      `If-Match: '${header}' is no ETag of ours`,
      'take it from GET /api/decisions?target=…',
    );
  return stamp;
}
