import { expect, it } from 'vitest';
import type { Crawl } from '../../model/crawl.ts';
import { OwnCommands } from './own-commands.ts';
import { startCrawl } from './start-crawl.ts';

/** A process that ends as this script does, beside an archive with these crawls. */
const begin = (script: string, crawls: () => readonly Partial<Crawl>[] = () => []) =>
  startCrawl(
    { urls: ['https://example.org/'] },
    {
      location: { archive: '/nowhere' },
      commands: new OwnCommands(['sh', '-c', script, 'sh']),
      catalog: async () => ({ crawls: async () => crawls() as Crawl[], workers: async () => [] }),
    },
  );

it.each([
  [
    'a full disk',
    'echo "daguerre: no space left to write x: free some" >&2; exit 4',
    'storage-full',
    /^no space/,
  ],
  [
    'a folder that is read-only',
    'echo "daguerre: /a/lock lies on a disk that is read-only: make it writable (EROFS)" >&2; exit 2',
    'read-only',
    /^\/a\/lock lies/,
  ],
  [
    'a wrong setting',
    'printf "Beginning\\ndaguerre: a.yaml:1: x\\na.yaml:2: y\\n" >&2; exit 2',
    'usage',
    /^a\.yaml:1: x\na\.yaml:2: y$/,
  ],
  ['damage', 'echo "daguerre: is torn" >&2; exit 6', 'damaged', /^is torn$/],
  ['a database that is gone', 'echo "daguerre: gone" >&2; exit 7', 'unreachable', /^gone$/],
  [
    'a fault of ours',
    'printf "daguerre: TypeError: x\\n    at y (z.js:1)\\n" >&2; exit 1',
    'failed',
    /^TypeError: x$/,
  ],
  ['a signal', 'kill -9 $$', 'failed', /said nothing/],
])(
  'a process that ends before its crawl exists, by %s => that, in its last words',
  async (_, script, kind, words) => {
    await expect(begin(script)).rejects.toMatchObject({ kind, message: expect.stringMatching(words) });
  },
);

it('a program that is not there => a failure, not a silence', async () => {
  const commands = new OwnCommands(['/nowhere/daguerre']);
  const catalog = async () => ({ crawls: async () => [], workers: async () => [] });
  const starting = { location: { archive: '/nowhere' }, commands, catalog };
  await expect(startCrawl({ urls: ['example.org'] }, starting)).rejects.toThrow(/ENOENT/);
});

it('a crawl that ended at once and was there before => the one its report names', async () => {
  const crawls = () => [{ id: 7, state: 'finished' as const }];
  expect(await begin('echo \'{"crawl":7}\'', crawls)).toMatchObject({ crawl: 7 });
});

it('a crawl that comes to be known after seconds => the answer has waited', async () => {
  const from = Date.now();
  const crawls = () => (Date.now() - from > 1500 ? [{ id: 3, state: 'running' as const }] : []);
  expect(await begin('sleep 3', crawls)).toMatchObject({ crawl: 3 });
});
