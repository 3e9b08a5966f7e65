import { Command, CommanderError } from 'commander';
import { CatalogFault } from '../catalog/faults.ts';
import { StorageFull } from '../ports/record-store.ts';
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
import { EXIT, UserError } from './exit-codes.ts';
import { VERSION } from './version.ts';

// Whoever read us may have had enough (`daguerre changes | head`): that ends the reading, not the work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

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
  process.exitCode = exitCodeOf(error);
}

/** Says what went wrong, in words where it is known, with a stack where it is our fault. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UserError) {
    process.stderr.write(`daguerre: ${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof CatalogFault) {
    process.stderr.write(`daguerre: ${error.message}\n`);
    return error.kind === 'busy' ? EXIT.locked : EXIT.usage;
  }
  if (error instanceof StorageFull) {
    process.stderr.write(`daguerre: ${error.message}\n`);
    return EXIT.storageFull;
  }
  process.stderr.write(
    `daguerre: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return EXIT.internal;
}
