import { explainError } from './explain-error.ts';
import { quietWarnings } from './node-warnings.ts';
import { daguerreProgram } from './program.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe (`daguerre changes | head`): that ends the reading, not the work.
    if (error.code === 'EPIPE') return;
    error.path ??= stream === process.stdout ? 'standard output' : 'standard error';
    leave(error);
  });
}
// Unhandled errors, such as those of streams, get the same messages and exit codes.
process.on('uncaughtException', leave);
process.on('unhandledRejection', leave);

quietWarnings();

/**
 * Milliseconds after an error was told: whoever restarts a command that failed waits for its end, so that nothing which it left
 * behind may keep it.
 */
const LAST_RESORT = 30_000;

try {
  const program = await daguerreProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error);
  setTimeout(() => process.exit(), LAST_RESORT).unref();
}

function tell(error: unknown): number {
  const { exitCode, message } = explainError(error);
  if (message !== undefined) process.stderr.write(`daguerre: ${message}\n`);
  return exitCode;
}

/** The archive is crash-safe: leaving costs only the work in hand. */
function leave(error: unknown): void {
  process.exit(tell(error));
}
