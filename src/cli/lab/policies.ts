import { lineY, text } from '@observablehq/plot';
import { UserError } from '../../archive/user-error.ts';
import { comparePolicies } from '../../lab/policies/experiment.ts';
import {
  type Histories,
  historiesFromChanges,
  historiesFromObservations,
} from '../../lab/policies/histories.ts';
import { type PoliciesReport, policiesReport, policiesTable } from '../../lab/policies/report.ts';
import { spanOf, timeWindows, type Windows } from '../../lab/policies/time-window.ts';
import { REFRESH_POLICY_NAMES } from '../../science/policy/refresh/policies.ts';
import type { LabPoliciesFlags } from '../commands/lab-pages.ts';
import { writeOutput } from '../write-output.ts';
import { writeFigure } from './figure.ts';
import { readHistories, readWeights, type Skipping } from './page-files.ts';

const DAY = 86_400;

export async function labPolicies(flags: LabPoliciesFlags): Promise<void> {
  const { budget: budgets, objective, cold, periods, timezone, seed, rounds } = flags;
  const unknown = flags.policy?.find((name) => !REFRESH_POLICY_NAMES.includes(name));
  if (unknown !== undefined)
    throw new UserError(`no policy is named '${unknown}'; there are: ${REFRESH_POLICY_NAMES.join(', ')}`);
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const { histories, windows } = readWindows(flags, skipping);
  const report = policiesReport(
    comparePolicies(histories, {
      budgets,
      objective,
      cold,
      periods,
      period: DAY / periods,
      seed,
      rounds,
      ...(flags.policy && { policies: flags.policy }),
    }),
  );
  const { skipped } = skipping;
  await writeOutput(
    flags.json
      ? `${JSON.stringify({ ...report, ...windows, periods, timezone, seed, skipped })}\n`
      : `${windows.train} days of training, ${windows.test} of test; ${policiesTable(report)}`,
    undefined,
  );
  if (flags.out !== undefined) await drawReport(report, flags.out);
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

async function drawReport(report: PoliciesReport, folder: string): Promise<void> {
  const drawn = [{ measure: report.objective, ...report }, { ...report.other }];
  for (const { measure, policies, clairvoyant } of drawn) {
    const lines = [...Object.entries(policies), ['clairvoyant', clairvoyant] as const];
    const points = lines.flatMap(([name, values]) =>
      values.map((y, i) => ({ name, x: report.budgets[i] ?? 0, y })),
    );
    const ends = apart(
      lines.map(([name, values]) => ({ name, x: report.budgets.at(-1) ?? 0, y: values.at(-1) ?? 0 })),
    );
    await writeFigure(
      folder,
      `policies-${report.objective}-measured-${measure}`,
      {
        width: 800,
        height: 520,
        marginRight: 160,
        x: { label: 'visits per period, % of the pages', grid: true },
        y: { label: `weighted completeness, ${measure}`, domain: [0, 1], grid: true },
        marks: [
          lineY(points, { x: 'x', y: 'y', stroke: 'name', marker: 'dot' }),
          text(ends, { x: 'x', y: 'y', text: 'name', dx: 8, textAnchor: 'start', fill: 'name' }),
        ],
      },
      {
        title: `Weighted completeness of ${lines.length - 1} policies on ${report.pages} pages`,
        description: `Objective ${report.objective}, measured ${measure}, ${report.cold ? 'cold start' : 'patterns learned before'}.`,
      },
    );
  }
}

/** Height of a line of text, as a share of the axis. */
const LINE = 0.026;

/** Labels from the highest down, each at least a line below the one before. */
function apart<T extends { readonly y: number }>(labels: readonly T[]): T[] {
  let above = Infinity;
  return labels
    .toSorted((a, b) => b.y - a.y)
    .map((label) => {
      above = Math.min(label.y, above - LINE);
      return { ...label, y: above };
    });
}
