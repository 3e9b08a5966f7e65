import { Command } from 'commander';
import { VERSION } from '../archive/version.ts';
import { archiveCommand } from './commands/archive.ts';
import { changesCommand } from './commands/changes.ts';
import { demoCommand } from './commands/demo.ts';
import { diffCommand } from './commands/diff.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { keyCommand } from './commands/key.ts';
import { patternsCommand } from './commands/patterns.ts';
import { queryCommand } from './commands/query.ts';
import { reindexCommand } from './commands/reindex.ts';
import { reportCommand } from './commands/report.ts';
import { rulesCommand } from './commands/rules.ts';
import { segmentCommand } from './commands/segment.ts';
import { serveCommand } from './commands/serve.ts';
import { stopCommand } from './commands/stop.ts';
import { verifyCommand } from './commands/verify.ts';
import { whyCommand } from './commands/why.ts';
import { EXIT } from './exit-codes.ts';
import { labCommand } from './lab/lab.ts';

/** Every command with its flags, not run yet. */
export function daguerreProgram(): Command {
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

  for (const command of [
    archiveCommand,
    stopCommand,
    serveCommand,
    demoCommand,
    importCommand,
    exportCommand,
    reindexCommand,
    verifyCommand,
    reportCommand,
    rulesCommand,
    whyCommand,
    keyCommand,
    segmentCommand,
    diffCommand,
    changesCommand,
    patternsCommand,
    queryCommand,
    labCommand,
  ]) {
    command(program);
  }
  return program;
}
