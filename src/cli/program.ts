import { Command } from 'commander';
import { VERSION } from '../archive/version.ts';
import { EXIT } from './exit-codes.ts';

type Declare = (program: Command) => void;

/**
 * By name, in the order of the help. A command is loaded on demand: its flags alone used to bring in the modules of its answers,
 * and a crawl began by loading the lab.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Declare>>> = {
  archive: async () => (await import('./commands/archive.ts')).archiveCommand,
  resume: async () => (await import('./commands/resume.ts')).resumeCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  workers: async () => (await import('./commands/workers.ts')).workersCommand,
  login: async () => (await import('./commands/login.ts')).loginCommand,
  watch: async () => (await import('./commands/watch.ts')).watchCommand,
  refresh: async () => (await import('./commands/refresh.ts')).refreshCommand,
  ping: async () => (await import('./commands/ping.ts')).pingCommand,
  stop: async () => (await import('./commands/stop.ts')).stopCommand,
  decide: async () => (await import('./commands/decide.ts')).decideCommand,
  perimeter: async () => (await import('./commands/perimeter.ts')).perimeterCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  merge: async () => (await import('./commands/merge.ts')).mergeCommand,
  thin: async () => (await import('./commands/thin.ts')).thinCommand,
  reindex: async () => (await import('./commands/reindex.ts')).reindexCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  prove: async () => (await import('./commands/prove.ts')).proveCommand,
  digest: async () => (await import('./commands/digest.ts')).digestCommand,
  rules: async () => (await import('./commands/rules.ts')).rulesCommand,
  mirrors: async () => (await import('./commands/mirrors.ts')).mirrorsCommand,
  sites: async () => (await import('./commands/sites.ts')).sitesCommand,
  importance: async () => (await import('./commands/importance.ts')).importanceCommand,
  alerts: async () => (await import('./commands/alerts.ts')).alertsCommand,
  why: async () => (await import('./commands/why.ts')).whyCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  segment: async () => (await import('./commands/segment.ts')).segmentCommand,
  diff: async () => (await import('./commands/diff.ts')).diffCommand,
  changes: async () => (await import('./commands/changes.ts')).changesCommand,
  search: async () => (await import('./commands/search.ts')).searchCommand,
  patterns: async () => (await import('./commands/patterns.ts')).patternsCommand,
  analyse: async () => (await import('./commands/analyse.ts')).analyseCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  query: async () => (await import('./commands/query.ts')).queryCommand,
  lab: async () => (await import('./lab/lab.ts')).labCommand,
};

/** Commands with their flags, not yet run: the one that `asked` names, or all, for help and for unknown names. */
export async function daguerreProgram(asked?: string): Promise<Command> {
  const program = new Command('daguerre')
    .description('A quality-conscious web archiver.')
    .version(VERSION)
    .showHelpAfterError('(add --help for what it takes)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  daguerre archive https://example.org/     capture a site
  daguerre serve                            look at what was captured
  daguerre demo                             all of it at once, offline

Exit codes: ${Object.entries(EXIT)
        .map(([name, code]) => `${code} ${name}`)
        .join(', ')} (docs/exit-codes.md)`,
    );

  const one = asked !== undefined && Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
  const loaded = await Promise.all((one ? [one] : Object.values(COMMANDS)).map((load) => load()));
  for (const declare of loaded) declare(program);
  return program;
}
