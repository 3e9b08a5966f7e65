import type { Command } from 'commander';
import { openForReading } from '../../archive/open/open-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import { momentArgument, parseCount } from '../arguments.ts';
import { harmless } from '../terminal-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface AlertFlags extends CommonOptions {
  readonly config?: string;
  readonly since?: number;
  readonly limit?: number;
}

export function alertsCommand(program: Command): void {
  const alerts = program
    .command('alerts')
    .summary('rules that tell people of changes: tried on the past, tested, and what was sent')
    .description(
      "Rules stand under 'alerts:' of a configuration file (docs/alerts.md). They are tuned on the archive's past: dry-run lists " +
        'what each would have told, test sends the last of it, list shows what a watch has told and how far it got.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre alerts dry-run --config watch.yaml --since 30d\n  daguerre alerts test important --config watch.yaml\n  daguerre alerts list',
    );
  archiveOptions(
    alerts
      .command('list')
      .argument('[rule]', 'only alerts of this rule')
      .summary('what was told, and whether it was sent')
      .description(
        'Lists the alerts in the outbox, the newest first, with how far each has got over each channel.',
      ),
  )
    .option('--limit <number>', 'at most so many', parseCount, 50)
    .action(list);
  archiveOptions(
    alerts
      .command('dry-run')
      .argument('[rule]', 'only this rule')
      .summary("what rules would have told over the archive's past")
      .description(
        'Judges every stored change and visit as a watch would have, and lists the messages that would have gone out: digests, ' +
          'limits and quiet hours are applied. Nothing is sent. It works on any archive, watched or not.',
      ),
  )
    .requiredOption('--config <file>', "YAML file with the rules under 'alerts:'")
    .option(
      '--since <time>',
      'from then on, e.g. 30d or 2026-03-01 (default: all of it)',
      momentArgument('start'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre alerts dry-run --config watch.yaml --since 30d\n  daguerre alerts dry-run important --config watch.yaml --json',
    )
    .action(dryRun);
  archiveOptions(
    alerts
      .command('test')
      .argument('<rule>', 'which rule')
      .summary('send the last change that would have fired')
      .description(
        'Sends the last alert that the rule would have told over the channels of the rule, once, past the outbox. Its id begins ' +
          "with 'test-'.",
      ),
  )
    .requiredOption('--config <file>', "YAML file with the rules under 'alerts:'")
    .addHelpText('after', '\nExamples:\n  daguerre alerts test important --config watch.yaml')
    .action(test);
}

async function list(rule: string | undefined, flags: AlertFlags): Promise<void> {
  const archive = await openForReading(flags);
  try {
    const { listAlerts } = await import('../../archive/alerts/list-alerts.ts');
    const { alertLine, outboxLine } = await import('../alert-text.ts');
    const { limit = 50 } = flags;
    const { alerts, outbox } = await listAlerts(archive.catalog, {
      ...(rule !== undefined && { rule }),
      limit,
    });
    if (flags.json) return await writeOutput(`${JSON.stringify({ outbox, alerts })}\n`, undefined);
    const lines = alerts.map((alert) => alertLine(alert));
    await writeOutput(harmless(`${[...lines, outboxLine(outbox)].join('\n')}\n`), undefined);
  } finally {
    await archive.close();
  }
}

async function rulesOf({ config }: AlertFlags, name: string | undefined) {
  const { readAlerts } = await import('../../archive/alerts/alert-settings.ts');
  const file = config ?? '';
  const { rules, delivery } = await readAlerts(file);
  const chosen = rules.filter(({ rule }) => name === undefined || rule.name === name);
  if (chosen.length > 0) return { rules: chosen, delivery };
  const known = rules.map(({ rule }) => rule.name).join(', ');
  throw new UserError(
    name === undefined || rules.length === 0
      ? `${file} has no rules: add them under 'alerts:' (docs/alerts.md)`
      : `${file} has no rule '${name}'; it has: ${known}`,
  );
}

async function dryRun(name: string | undefined, flags: AlertFlags): Promise<void> {
  const { rules } = await rulesOf(flags, name);
  const archive = await openForReading(flags);
  try {
    const { pastAlerts } = await import('../../archive/alerts/past-alerts.ts');
    const { pastText } = await import('../alert-text.ts');
    const period = { since: flags.since ?? 0, until: Date.now() };
    const past = await pastAlerts(
      rules.map(({ rule }) => rule),
      archive,
      period,
    );
    if (flags.json) {
      const told = past.map(({ rule, alerts, messages }) => ({
        rule: rule.name,
        alerts: alerts.length,
        messages,
      }));
      return await writeOutput(`${JSON.stringify({ rules: told })}\n`, undefined);
    }
    await writeOutput(harmless(past.map((one) => pastText(one)).join('\n')), undefined);
  } finally {
    await archive.close();
  }
}

async function test(name: string, flags: AlertFlags): Promise<void> {
  const { rules, delivery } = await rulesOf(flags, name);
  const archive = await openForReading(flags);
  try {
    const { testRule } = await import('../../archive/alerts/test-rule.ts');
    const [rule] = rules as [(typeof rules)[0]];
    const { alert, results } = await testRule(rule, delivery, archive);
    if (flags.json) await writeOutput(`${JSON.stringify({ alert, results })}\n`, undefined);
    else {
      const { alertLine } = await import('../alert-text.ts');
      const lines = results.map(({ channel, error }) => `  ${channel}: ${error ?? 'taken'}`);
      const nowhere = results.length === 0 ? ['  the rule sends nowhere: it has only its feed'] : [];
      await writeOutput(harmless(`${[alertLine(alert), ...lines, ...nowhere].join('\n')}\n`), undefined);
    }
    const refused = results.filter(({ error }) => error !== undefined);
    if (refused.length > 0)
      throw new UserError(
        `${refused.length} of ${results.length} channels did not take it: see above, and mend the rule '${name}' of ${flags.config}`,
        'unreachable',
      );
  } finally {
    await archive.close();
  }
}
