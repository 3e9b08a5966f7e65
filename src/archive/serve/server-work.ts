import type { AlertRule } from '../../model/alert.ts';
import type { Millis } from '../../model/time.ts';
import type { OwnerCatalog, ResultCatalog, WorkerCatalog } from '../../ports/catalog.ts';
import { readAlerts } from '../alerts/alert-settings.ts';
import { type ArchiveLocation, archiveFolder } from '../open/open-archive.ts';
import { pastOfRules } from './dry-run.ts';
import { OwnCommands } from './own-commands.ts';
import type { ServerSettings } from './server-settings.ts';
import { type CheckState, OwnChecks, type RunningCheck, type WantedCheck } from './start-check.ts';
import { resumeCrawl, type StartedCrawl, startCrawl, type WantedCrawl } from './start-crawl.ts';

export interface WorkOptions {
  readonly location: ArchiveLocation;
  readonly settings: ServerSettings;
  /** How to run Daguerre: a program and its first arguments. */
  readonly command: readonly string[];
  readonly catalog: () => Promise<
    Pick<ResultCatalog, 'crawls'> & Pick<WorkerCatalog, 'workers'> & Pick<OwnerCatalog, 'mayWrite'>
  >;
}

/** What a server runs in processes of their own, for one archive. */
export function openServerWork({ location, settings, command, catalog }: WorkOptions) {
  const commands = new OwnCommands(command);
  const place = [
    ...['--archive', archiveFolder(location.archive).root],
    ...(location.database === undefined ? [] : ['--database', location.database]),
    ...(location.storage === undefined ? [] : ['--storage', location.storage]),
  ];
  const checks = new OwnChecks(commands, place, settings.crawls, async () => (await catalog()).mayWrite());
  return {
    startCheck: (wanted: WantedCheck): Promise<RunningCheck> => checks.start(wanted),
    checks: (): CheckState => checks.state,
    startCrawl: (wanted: WantedCrawl): Promise<StartedCrawl> =>
      startCrawl(wanted, { location, commands, catalog, config: settings.crawls }),
    resumeCrawl: (id: number): Promise<StartedCrawl> => resumeCrawl(id, { location, commands, catalog }),
    command: (args: readonly string[], operands?: readonly string[]): Promise<unknown> =>
      commands.json([...args, ...place], operands),
    dryRun: (
      rule: Readonly<Record<string, unknown>> | undefined,
      since: Millis | undefined,
    ): Promise<unknown> =>
      pastOfRules(rule, { since, config: settings.watch }, (args) => commands.json([...args, ...place])),
    async plan(hours: number): Promise<unknown> {
      if (settings.watch === undefined) return undefined;
      const args = ['watch', '--config', settings.watch, '--plan', '--hours', String(hours)];
      return commands.json([...args, ...place]);
    },
    async rules(): Promise<readonly AlertRule[]> {
      if (settings.watch === undefined) return [];
      return (await readAlerts(settings.watch)).rules.map(({ rule }) => rule);
    },
    close: () => commands.close(),
  };
}
