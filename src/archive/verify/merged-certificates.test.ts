import { afterEach, beforeEach, expect, test } from 'vitest';
import { certifiedArchive, START, urlOf } from '../../../test/certified-archive.ts';
import {
  check,
  fieldOf,
  isVisit,
  PAGES,
  type PlainRecord,
  rewrite,
  withField,
} from '../../../test/tampered-archive.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

const id = (n: number): string => `<urn:uuid:00000000-0000-4000-8000-00000000000${n}>`;
const isSeal = (record: PlainRecord): boolean =>
  /^urn:(?:certificate|crawl):/.test(fieldOf(record, 'WARC-Target-URI'));
const isOf = (record: PlainRecord, name: string): boolean =>
  fieldOf(record, 'WARC-Target-URI') === urlOf(name);

/** The file as if it were one into which others had been merged, each with these records. */
const merged = (into: (records: readonly PlainRecord[]) => readonly (readonly PlainRecord[])[]) =>
  rewrite(archive, ([info, ...records]) => {
    const log = records.find(isSeal);
    if (!info || !log) throw new Error('no records');
    const head = withField(withField(log, 'WARC-Record-ID', id(0)), 'WARC-Target-URI', 'urn:merged:x');
    const parts = into(records).flatMap((part, i) => [withField(info, 'WARC-Record-ID', id(i + 1)), ...part]);
    return [info, head, ...parts];
  });

const seal = (records: readonly PlainRecord[]) => records.filter(isSeal);
const rest = (records: readonly PlainRecord[]) => records.filter((record) => !isSeal(record));

test('merged before the files with its records, the later of them first => a certificate is as good as before', async () => {
  await merged((records) => [
    seal(records),
    rest(records)
      .filter((record) => isOf(record, 'about'))
      .toReversed(),
    rest(records).filter((record) => !isOf(record, 'about')),
  ]);
  // Within the part that has 'about' the revisit stands first: that is told as in any file.
  expect((await check(archive)).errors).toEqual([
    `certificate: ${urlOf('about')}: the record of the revisit stands before that of the visit`,
  ]);
});

test('visit and revisit in parts that were merged the other way round => nothing is told', async () => {
  const isAgain = (record: PlainRecord): boolean => isVisit(record, 'about', 'revisit');
  await merged((records) => [
    seal(records),
    rest(records).filter(isAgain),
    rest(records).filter((record) => !isAgain(record)),
  ]);
  const { errors, warnings, certificates } = await check(archive);
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
  expect(certificates).toHaveLength(1);
});

test('a record put after the certificate within its part, or dated after it => found', async () => {
  await merged((records) => {
    const moved = rest(records).filter((record) => isVisit(record, 'once'));
    return [[...records.filter((record) => !moved.includes(record)), ...moved]];
  });
  expect((await check(archive)).errors).toEqual([
    expect.stringMatching(/once: the record .* stands after the certificate$/),
  ]);
  await remove();
  ({ archive, remove } = await certifiedArchive(PAGES));
  const late = new Date(START + 3_600_000).toISOString();
  await merged((records) => [
    seal(records),
    rest(records).map((record) => (isVisit(record, 'once') ? withField(record, 'WARC-Date', late) : record)),
  ]);
  expect((await check(archive)).errors.join('\n')).toContain(`the records say "${late}"`);
});

test('warcinfo in the middle of a file that was not merged => makes no parts of it', async () => {
  await rewrite(archive, ([info, ...records]) => {
    if (!info) return undefined;
    return [info, ...seal(records), withField(info, 'WARC-Record-ID', id(1)), ...rest(records)];
  });
  expect((await check(archive)).errors.join('\n')).toContain('stands after the certificate');
});
