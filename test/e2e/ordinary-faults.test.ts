import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from './daguerre.ts';
import { ARCHIVE_BREAKINGS, GIVEN_BREAKINGS, OUT_BREAKINGS } from './fault-breakings.ts';
import {
  canDropRights,
  canMount,
  copyWorkplace,
  makeWorkplace,
  nearlyFull,
  removeWorkplace,
  runUnder,
  SYSTEM_FAULTS,
  WITHOUT_RIGHTS,
  type Workplace,
} from './fault-places.ts';
import { COMMANDS, type CommandName } from './fault-table.ts';

/** Every command with every ordinary fault: a message that names the file and says what to do, and its exit code. */

let base: Workplace & { close(): Promise<void> };
beforeAll(async () => {
  base = await makeWorkplace();
});
afterAll(() => base.close());

if (!canMount) console.warn('skipped: full and read-only disks, because nothing can be mounted here');
if (!canDropRights)
  console.warn('skipped: files without permission, because root cannot drop its rights here');

/** Faults that a command meets here; permissions bind no root. */
const here = (faults: object): readonly string[] =>
  Object.keys(faults).filter((fault) => canDropRights || setupOf(fault) === '');
const setupOf = (fault: string): string => (/permission|may not/.test(fault) ? WITHOUT_RIGHTS : '');

/**
 * The whole table takes a quarter of an hour on a small machine. By default each fault meets every third command,
 * beginning with another one each time; DAGUERRE_ALL_FAULTS=1 runs all.
 */
const ALL = process.env.DAGUERRE_ALL_FAULTS === '1';
const share = <T>(cases: readonly T[], number: number): readonly T[] =>
  ALL ? cases : cases.filter((_, i) => (i + number) % 3 === 0);

const NAMES = Object.keys(COMMANDS('')) as readonly CommandName[];

/** Their code is a verdict, and their report stands on stdout. */
const REPORTS_DAMAGE: readonly string[] = ['verify', 'import warc', 'import wacz', 'reindex', 'query'];

function expectCode({ code, stdout, stderr }: Finished, expected: number, name: string): void {
  expect(`${stdout}\n${stderr}`).not.toMatch(/^\s+at .+:\d+/m);
  expect({ code, stderr }).toMatchObject({ code: expected });
  if (expected === 0 || (expected === 6 && REPORTS_DAMAGE.includes(name))) return;
  // Which file, what is wrong, what to do. An empty configuration is only one without seeds.
  expect(stderr).toMatch(/^daguerre: (?:.*[./]\S+.*|no URL to begin with): .{10,}/m);
  // Experiments print their table, then draw it.
  if (!name.startsWith('lab')) expect(stdout).toBe('');
}

async function run(
  name: CommandName,
  setup: string,
  breaking?: (place: Workplace) => Promise<void>,
): Promise<Finished> {
  const place = await copyWorkplace(base);
  try {
    await breaking?.(place);
    return await runUnder(setup, place, COMMANDS(base.url)[name]);
  } finally {
    await removeWorkplace(place);
  }
}

const WRITES_ARCHIVE = /^(?:archive|import|reindex|demo|key import|key rotate)/;
const STARTS_BROWSER = /^(?:archive in a browser|segment|diff|lab deltas|lab segment)/;
const writesOut = (name: CommandName): boolean => COMMANDS('')[name].some((arg) => arg.startsWith('out'));

const EXPECTED: Readonly<Record<keyof typeof SYSTEM_FAULTS, (name: CommandName) => number>> = {
  // A browser without room for its profile is not started: it would die of it now and then, in the midst of a page.
  full: (name) => (WRITES_ARCHIVE.test(name) || writesOut(name) || STARTS_BROWSER.test(name) ? 4 : 0),
  'read-only archive': (name) => (WRITES_ARCHIVE.test(name) ? 2 : 0),
  'read-only out': (name) => (writesOut(name) ? 2 : 0),
  'read-only tmp': (name) => (STARTS_BROWSER.test(name) ? 2 : 0),
};

describe.skipIf(!canMount).each(Object.keys(EXPECTED) as (keyof typeof EXPECTED)[])('%s', (fault) => {
  const meets = NAMES.filter((name) => EXPECTED[fault](name) !== 0);
  const others = NAMES.filter((name) => EXPECTED[fault](name) === 0);
  it.concurrent.each(meets)('%s => a message', async (name) => {
    expectCode(await run(name, SYSTEM_FAULTS[fault]), EXPECTED[fault](name), name);
  });
  it.concurrent.each(share(others, fault.length))('%s => done', async (name) => {
    expectCode(await run(name, SYSTEM_FAULTS[fault]), 0, name);
  });
});

/** KiB left: the disk fills up at another step each time. */
describe.skipIf(!canMount).each(share([4, 24, 48, 96, 160, 240], 2))('a disk with %i KiB left', (room) => {
  it.concurrent.each(['archive', 'import warc', 'import wacz', 'reindex'] as const)('%s', async (name) => {
    const finished = await run(name, nearlyFull(room));
    expectCode(finished, finished.code === 0 ? 0 : 4, name);
  });
});

/** One of each kind: crawl, import, rebuild, reading of records, reading of the catalog, keys. */
const ON_ARCHIVES = [
  'archive',
  'import warc',
  'reindex',
  'verify',
  'export wacz',
  'report',
  'changes',
  'serve',
  'key show',
  'key rotate',
] as const;

/** Exit codes in the order of ON_ARCHIVES. */
const ARCHIVE_CODES: Readonly<Record<keyof typeof ARCHIVE_BREAKINGS, string>> = {
  'no archive': '0022222220',
  'the archive is a file': '2222222222',
  'an empty folder': '0022222200',
  "somebody else's folder": '0022222200',
  'no permission': '2222222222',
  'the catalog is gone': '0002222200',
  'the catalog is empty': '0002222200',
  'the catalog is cut': '6606666600',
  'the catalog is text': '6606666600',
  'the catalog is a folder': '2222222200',
  'the catalog holds noise': '6606666600',
  'a catalog of another program': '2222222200',
  'a newer catalog': '2202222200',
  'a log without its catalog': '0002222200',
  'a log of noise': '0000000000',
  'archive.json is cut': '6606666600',
  'archive.json is newer': '2222222200',
  'keys.json is empty': '6666600066',
  'keys.json is cut': '6666600066',
  'keys.json is newer': '2222200022',
  'keys.json is a folder': '2222200022',
  'private.pem is empty': '6000000066',
  'the lock is text': '6660000006',
  'record files are cut': '6666660000',
  'record files are empty': '6666660000',
  'the folder of records is a file': '2222222200',
  'indexes are cut': '0006000000',
};

describe.each(here(ARCHIVE_CODES))('%s', (fault) => {
  const number = Object.keys(ARCHIVE_CODES).indexOf(fault);
  const codes = [...(ARCHIVE_CODES[fault] as string)].map(Number);
  it.concurrent.each(
    share(
      ON_ARCHIVES.map((name, i) => [name, codes[i] as number] as const),
      number,
    ),
  )('%s => %i', async (name, expected) => {
    expectCode(await run(name, setupOf(fault), ARCHIVE_BREAKINGS[fault]), expected, name);
  });
});

const ON_FILES = [
  'archive',
  'import warc',
  'import wacz',
  'key import',
  'segment file',
  'diff files',
  'lab completeness',
  'lab sharc',
  'lab deltas',
] as const;

/** Exit codes in the order of ON_FILES. An empty page is a page; an empty table is none. */
const FILE_CODES: Readonly<Record<string, string>> = {
  'given files are gone': '222222222',
  'given files are folders': '222222222',
  'given files may not be read': '222222222',
};

describe.each(here(FILE_CODES))('%s', (fault) => {
  const number = Object.keys(FILE_CODES).indexOf(fault);
  const codes = [...(FILE_CODES[fault] as string)].map(Number);
  it.concurrent.each(
    share(
      ON_FILES.map((name, i) => [name, codes[i] as number] as const),
      number,
    ),
  )('%s => %i', async (name, expected) => {
    expectCode(await run(name, setupOf(fault), GIVEN_BREAKINGS[fault]), expected, name);
  });
});

describe.each([
  'given files are empty',
  'given files are cut',
  'given files hold noise',
  'given files are newer',
])('%s', (fault) => {
  it.concurrent.each(share(ON_FILES, fault.length))(
    '%s => no stack, a documented exit code',
    async (name) => {
      const finished = await run(name, '', GIVEN_BREAKINGS[fault]);
      expect([0, 2, 3, 6, 8]).toContain(finished.code);
      expectCode(finished, finished.code as number, name.startsWith('import') ? 'import warc' : name);
    },
  );
});

describe.each(here(OUT_BREAKINGS).filter((fault) => fault !== 'no temporary folder'))('%s', (fault) => {
  const names = ['export wacz', 'export cdxj', 'report', 'patterns', 'key export', 'segment file'] as const;
  it.concurrent.each(share(names, fault.length))('%s => 2', async (name) => {
    expectCode(await run(name, setupOf(fault), OUT_BREAKINGS[fault]), 2, name);
  });
});
