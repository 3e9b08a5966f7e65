import { Command } from 'commander';
import { archiveCommand } from './commands/archive.ts';
import { changesCommand } from './commands/changes.ts';
import { demoCommand } from './commands/demo.ts';
import { diffCommand } from './commands/diff.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { keyCommand } from './commands/key.ts';
import { labCommand } from './commands/lab.ts';
import { patternsCommand } from './commands/patterns.ts';
import { queryCommand } from './commands/query.ts';
import { reindexCommand } from './commands/reindex.ts';
import { reportCommand } from './commands/report.ts';
import { segmentCommand } from './commands/segment.ts';
import { serveCommand } from './commands/serve.ts';
import { verifyCommand } from './commands/verify.ts';
import { EXIT } from './exit-codes.ts';
import { explainError } from './explain-error.ts';
import { VERSION } from './version.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe (`daguerre changes | head`): that ends the reading, not the work.
    if (error.code === 'EPIPE') return;
    error.path ??= stream === process.stdout ? 'standard output' : 'standard error';
    leave(error);
  });
}
// What nobody waited for, such as the error of a stream: the same words, the same exit codes.
process.on('uncaughtException', leave);
process.on('unhandledRejection', leave);

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
  serveCommand,
  demoCommand,
  importCommand,
  exportCommand,
  reindexCommand,
  verifyCommand,
  reportCommand,
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

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error);
}

function tell(error: unknown): number {
  const { exitCode, message } = explainError(error);
  if (message !== undefined) process.stderr.write(`daguerre: ${message}\n`);
  return exitCode;
}

/** The archive is crash-safe: leaving costs only what is in hand. */
function leave(error: unknown): void {
  process.exit(tell(error));
}
