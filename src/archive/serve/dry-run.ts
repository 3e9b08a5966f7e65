import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Millis } from '../../model/time.ts';
import { UserError } from '../user-error.ts';

/**
 * What a rule that somebody is trying would have told, found by the command that does this for the rules of a file.
 * Channels are left out: they hold secrets and commands, and nothing is sent.
 *
 * @param config file with the rules, where none is being tried
 */
export async function pastOfRules(
  rule: Readonly<Record<string, unknown>> | undefined,
  { since, config }: { readonly since: Millis | undefined; readonly config: string | undefined },
  command: (args: readonly string[]) => Promise<unknown>,
): Promise<unknown> {
  const from = since === undefined ? [] : ['--since', new Date(since).toISOString()];
  if (rule === undefined) {
    if (config === undefined)
      throw new UserError(
        'no rules are configured: send one, or name the file of a watch in that of the server',
      );
    return command(['alerts', 'dry-run', '--config', config, ...from]);
  }
  if ('send' in rule) throw new UserError("a rule that is tried has no 'send': nothing is sent");
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-rule-'));
  try {
    // JSON is valid YAML.
    const file = join(folder, 'rule.json');
    await writeFile(file, JSON.stringify({ alerts: [rule] }));
    return await command(['alerts', 'dry-run', '--config', file, ...from]);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // The file name means nothing to whoever sent the rule.
    throw new UserError(
      error.message.replaceAll(folder, '').replace(/^\/?(?:rule\.json:\d+: )?(?:alerts\.0\.)?/gm, ''),
      error.kind,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
