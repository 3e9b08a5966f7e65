import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { complaints, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

it('the program of docs/library.md => archives a site and finds nothing wrong', async () => {
  const [, shown = ''] =
    /```js\n(.*?)```/s.exec(await readFile(join(REPOSITORY, 'docs/library.md'), 'utf8')) ?? [];
  const site = await startSite({ '/': page('Home', ['/a']), '/a': page('A') });
  const archive = join(await temporaryFolder(), 'archive');
  const settings = `seeds: ['${site.url}/'], render: 'never', allowPrivate: true, delay: 0`;
  const program = shown
    .replace("seeds: ['https://example.org/']", settings)
    .replace("'./archive'", JSON.stringify(archive));
  try {
    // The package by its own name, as whoever has installed it would import it.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: REPOSITORY },
    );
    expect([stdout, stderr]).toEqual(['[]\n', '']);
    expect(site.asked.toSorted()).toEqual(['/', '/a', '/robots.txt']);
    expect(await complaints(archive)).toEqual([]);
  } finally {
    await site.close();
  }
});
