import { UserError } from '../../archive/user-error.ts';
import {
  type Histories,
  historiesFromChanges,
  historiesFromObservations,
} from '../../lab/policies/histories.ts';
import { policies } from '../../lab/policies/report.ts';
import { spanOf, timeWindows, type Windows } from '../../lab/policies/time-window.ts';
import { REFRESH_POLICY_NAMES } from '../../science/policy/refresh/policies.ts';
import type { LabPoliciesFlags } from '../commands/lab-pages.ts';
import { readHistories, readWeights, type Skipping } from './page-files.ts';
import { showExperiment } from './show-experiment.ts';

const DAY = 86_400;

export async function labPolicies(flags: LabPoliciesFlags): Promise<void> {
  const { budget: budgets, objective, cold, periods, timezone, seed, rounds } = flags;
  const unknown = flags.policy?.find((name) => !REFRESH_POLICY_NAMES.includes(name));
  if (unknown !== undefined)
    throw new UserError(`no policy is named '${unknown}'; there are: ${REFRESH_POLICY_NAMES.join(', ')}`);
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const input = {
    ...readWindows(flags, skipping),
    budgets,
    objective,
    cold,
    periods,
    period: DAY / periods,
    seed,
    rounds,
    ...(flags.policy && { policies: flags.policy }),
  };
  await showExperiment(policies, input, flags, { periods, timezone, seed, skipped: skipping.skipped });
}

function readWindows(
  flags: LabPoliciesFlags,
  skipping: Skipping,
): { readonly histories: Histories; readonly windows: Windows } {
  const given = readHistories(flags, skipping);
  const weights = readWeights(flags.weights, skipping);
  const windows = timeWindows(spanOf(given.table.pages) - flags.from * DAY, flags);
  const odd = new Set([...given.table.pages.keys()].filter((_, index) => index % 2 === 0));
  const options = {
    from: flags.from,
    ...windows,
    zone: flags.timezone,
    ...(weights && { weights }),
    keep: (page: string) => flags.pages === 'all' || odd.has(page) === (flags.pages === 'odd'),
  };
  const histories =
    given.kind === 'observations'
      ? historiesFromObservations(given.table.pages, options)
      : historiesFromChanges(given.table.pages, options);
  if (histories.pages.length === 0)
    throw new UserError(`nothing of any importance changed in the ${windows.test} days of the test`);
  return { histories, windows };
}
