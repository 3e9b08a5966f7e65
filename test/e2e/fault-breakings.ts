import { chmod, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Workplace } from './fault-places.ts';

type Breaking = (place: Workplace) => Promise<void>;

const catalog = ({ archive }: Workplace): string => join(archive, 'catalog.sqlite');
const halve = async (path: string): Promise<void> => truncate(path, Math.floor((await stat(path)).size / 2));
const replaceByFolder = async (path: string): Promise<void> => {
  await rm(path, { force: true });
  await mkdir(path);
};
const each = (folder: string, work: (path: string) => Promise<void>) => async (place: Workplace) => {
  for (const name of await readdir(join(place.root, folder), { recursive: true })) {
    const path = join(place.root, folder, name);
    if ((await stat(path)).isFile()) await work(path);
  }
};

/** What may be wrong with an archive. */
export const ARCHIVE_BREAKINGS: Readonly<Record<string, Breaking>> = {
  'no archive': ({ archive }) => rm(archive, { recursive: true }),
  'the archive is a file': async ({ archive }) => {
    await rm(archive, { recursive: true });
    await writeFile(archive, 'a file');
  },
  'an empty folder': async ({ archive }) => {
    await rm(archive, { recursive: true });
    await mkdir(archive);
  },
  "somebody else's folder": async ({ archive }) => {
    await rm(archive, { recursive: true });
    await mkdir(join(archive, 'photos'), { recursive: true });
    await writeFile(join(archive, 'letter.txt'), 'Dear Louise');
  },
  'no permission': async ({ archive }) => chmod(archive, 0),
  'the catalog is gone': (place) => rm(catalog(place)),
  'the catalog is empty': (place) => truncate(catalog(place), 0),
  'the catalog is cut': (place) => halve(catalog(place)),
  'the catalog is text': (place) => writeFile(catalog(place), 'not a database, '.repeat(1000)),
  'the catalog is a folder': (place) => replaceByFolder(catalog(place)),
  'the catalog holds noise': async (place) => {
    const bytes = await readFile(catalog(place));
    for (let at = 4096; at < bytes.length; at += 4096) bytes.fill(0xa5, at, at + 200);
    await writeFile(catalog(place), bytes);
  },
  'a catalog of another program': async (place) => {
    await rm(catalog(place));
    new Database(catalog(place)).exec('create table recipes (name text)').close();
  },
  'a newer catalog': async (place) => {
    new Database(catalog(place)).exec('update schema_version set version = 999').close();
  },
  'a log without its catalog': async (place) => rename(catalog(place), `${catalog(place)}-wal`),
  'a log of noise': (place) => writeFile(`${catalog(place)}-wal`, 'noise '.repeat(9000)),
  'archive.json is cut': ({ archive }) => halve(join(archive, 'archive.json')),
  'archive.json is newer': ({ archive }) => writeFile(join(archive, 'archive.json'), '{"format":9}'),
  'keys.json is empty': ({ archive }) => writeFile(join(archive, 'keys/keys.json'), ''),
  'keys.json is cut': ({ archive }) => halve(join(archive, 'keys/keys.json')),
  'keys.json is newer': ({ archive }) =>
    writeFile(join(archive, 'keys/keys.json'), '{"version":9,"ring":[]}'),
  'keys.json is a folder': ({ archive }) => replaceByFolder(join(archive, 'keys/keys.json')),
  'private.pem is empty': ({ archive }) => writeFile(join(archive, 'keys/private.pem'), ''),
  'the lock is text': ({ archive }) => writeFile(join(archive, 'lock.sqlite'), 'not a lock, '.repeat(100)),
  'record files are cut': each('archive/warc', halve),
  'record files are empty': each('archive/warc', (path) => truncate(path, 0)),
  'the folder of records is a file': async ({ archive }) => {
    await rm(join(archive, 'warc'), { recursive: true });
    await writeFile(join(archive, 'warc'), 'a file');
  },
  'indexes are cut': each('archive/indexes', halve),
  'the folder of indexes is a file': async ({ archive }) => {
    await rm(join(archive, 'indexes'), { recursive: true });
    await writeFile(join(archive, 'indexes'), 'a file');
  },
};

/** What may be wrong with the files that a command is given. */
export const GIVEN_BREAKINGS: Readonly<Record<string, Breaking>> = {
  'given files are gone': ({ root }) => rm(join(root, 'given'), { recursive: true }),
  'given files are empty': each('given', (path) => truncate(path, 0)),
  'given files are cut': each('given', halve),
  'given files are folders': each('given', replaceByFolder),
  'given files hold noise': each('given', async (path) =>
    writeFile(path, Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * i * 7 + i * 13) & 255))),
  ),
  'given files may not be read': each('given', (path) => chmod(path, 0)),
  'given files are newer': async ({ root }) => {
    const given = (name: string, text: string) => writeFile(join(root, 'given', name), text);
    await given('crawl.yaml', 'seeds: [http://127.0.0.1:9/]\nteleport: true\n');
    await given('key.pem', '-----BEGIN QUANTUM KEY-----\nAAAA\n-----END QUANTUM KEY-----\n');
    await given('records.warc.gz', 'WARC/9.0\r\nWARC-Type: hologram\r\nContent-Length: 0\r\n\r\n\r\n\r\n');
  },
};

/** What may be wrong with where a command writes to. */
export const OUT_BREAKINGS: Readonly<Record<string, Breaking>> = {
  'no folder to write to': ({ root }) => rm(join(root, 'out'), { recursive: true }),
  'a file for a folder to write to': async ({ root }) => {
    await rm(join(root, 'out'), { recursive: true });
    await writeFile(join(root, 'out'), 'a file');
  },
  'the folder may not be written': ({ root }) => chmod(join(root, 'out'), 0o555),
  'no temporary folder': ({ root }) => rm(join(root, 'tmp'), { recursive: true }),
};
