import { writeFile } from 'node:fs/promises';

/** To a file where one is named, else to the terminal or the pipe. */
export async function writeOutput(content: string | Uint8Array, out: string | undefined): Promise<void> {
  if (out !== undefined) {
    await writeFile(out, content);
    process.stderr.write(`written to ${out}\n`);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(content, (error) => (error ? reject(error) : resolve()));
  });
}
