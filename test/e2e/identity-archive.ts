import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { daguerre, eachRecord, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

export const PAGES = 12;
export let site: SmallSite;
export let server: TestPostgres;

/** A site of 12 pages and a database server, for the tests of one file. */
export function useSiteAndDatabase(): void {
  beforeAll(async () => {
    site = await startSite((path) => {
      const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
      if (Number.isNaN(number)) return undefined;
      const links = number + 1 < PAGES ? [`/p${number + 1}`] : [];
      return { body: page(`Page ${number}`, links), after: 20 };
    });
    server = await startPostgres();
  });
  afterAll(async () => {
    await site?.close();
    await server?.stop();
  });
}

/** A folder that is not there yet: its name becomes the archive's. */
export const newArchive = async (name: string): Promise<string> => join(await temporaryFolder(), name);
export const shared = (): readonly string[] => ['--database', server.url];
export const archive = (folder: string, more: readonly string[] = []) =>
  daguerre(['archive', `${site.url}/`, '--archive', folder, ...FAST, ...more]);
export const verify = (folder: string, more: readonly string[] = []) =>
  daguerre(['verify', '--archive', folder, '--json', ...more]);

interface Identity {
  readonly id: string;
  readonly name: string;
  readonly opening: string;
}
export const identityOf = async (folder: string): Promise<Identity> =>
  JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8')) as Identity;

export async function rows(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const result = await client.query<Record<string, unknown>>(text);
  await client.end();
  return result.rows;
}

export async function warcinfo(folder: string): Promise<readonly string[]> {
  const texts: string[] = [];
  await eachRecord(folder, ({ type, payload }) => {
    if (type === 'warcinfo') texts.push(Buffer.from(payload.bytes ?? []).toString());
  });
  return texts;
}
