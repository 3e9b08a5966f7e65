import { writeFile } from 'node:fs/promises';
import { named, naming } from '../ports/system-error.ts';
import { harmless } from './terminal-text.ts';

/** To a file if one is named, otherwise to the terminal or the pipe. */
export async function writeOutput(content: string | Uint8Array, out: string | undefined): Promise<void> {
  if (out !== undefined) {
    await naming(out, writeFile(out, content));
    process.stderr.write(`written to ${out}\n`);
    return;
  }
  const shown = typeof content === 'string' && process.stdout.isTTY ? harmless(content) : content;
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(shown, (error) => {
      // The reader has enough: `| head` is not a failure.
      const isClosed = (error as NodeJS.ErrnoException | null | undefined)?.code === 'EPIPE';
      if (error && !isClosed) reject(named('standard output', error));
      else resolve();
    });
  });
}
