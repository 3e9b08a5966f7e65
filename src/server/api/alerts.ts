import { z } from 'zod';
import { listAlerts } from '../../archive/alerts/list-alerts.ts';
import { given, since, url } from './parameters.ts';
import { answer, COUNTED, list, NO_INPUT, part } from './route.ts';
import { ALERT, ALERT_RULE, OUTBOX, PAST_ALERTS } from './schemas/alerts.ts';
import { fromWatchFile } from './watch-file.ts';
import { required } from './work.ts';

export const ALERT_ROUTES = [
  list({
    path: '/alerts',
    summary: 'What rules have told, newest first, with how far each has got',
    input: z.object({ rule: z.string().max(200).optional(), url: url.optional(), since: since.optional() }),
    name: 'Alert',
    row: ALERT,
    after: COUNTED,
    async rows({ limit, after = 0, ...of }, { archive }) {
      const { catalog } = await archive();
      const { alerts } = await listAlerts(catalog, { ...given(of), offset: after, limit: limit + 1 });
      return part(alerts, limit, () => after + limit);
    },
  }),
  answer({
    method: 'GET',
    path: '/alerts/outbox',
    role: 'reader',
    summary: 'How much waits to be sent, and how much came to nothing',
    input: NO_INPUT,
    name: 'Outbox',
    answer: OUTBOX,
    run: async (_, { archive }) => (await archive()).catalog.outboxCounts(),
  }),
  answer({
    method: 'GET',
    path: '/alerts/rules',
    role: 'reader',
    summary: 'The rules of the configuration, without where they are sent',
    input: NO_INPUT,
    name: 'AlertRules',
    answer: z.object({ rules: z.array(ALERT_RULE).readonly() }),
    async run(_, { work }) {
      const rules = (await fromWatchFile(work?.rules())) ?? [];
      return { rules: rules.map((rule) => ({ ...rule, where: { ...rule.where }, when: { ...rule.when } })) };
    },
  }),
  answer({
    method: 'POST',
    path: '/alerts/dry-run',
    role: 'editor',
    summary: "What a rule would have told over the archive's past; nothing is sent",
    description:
      'Without `rule`: those of the configuration. A rule is written as in the file (docs/alerts.md), without `send`.',
    input: z.object({ since: since.optional() }),
    body: z.strictObject({ rule: z.record(z.string(), z.unknown()).optional() }),
    name: 'PastAlerts',
    answer: PAST_ALERTS,
    async run({ body: { rule }, since: from }, { work }) {
      return (await required(work).dryRun(rule, from)) as z.input<typeof PAST_ALERTS>;
    },
  }),
];
