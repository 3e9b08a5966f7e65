import { writeFile } from 'node:fs/promises';
import { named, naming } from '../ports/system-error.ts';

/** To a file where one is named, else to the terminal or the pipe. */
export async function writeOutput(content: string | Uint8Array, out: string | undefined): Promise<void> {
  if (out !== undefined) {
    await naming(out, writeFile(out, content));
    process.stderr.write(`written to ${out}\n`);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(content, (error) => (error ? reject(named('standard output', error)) : resolve()));
  });
}
