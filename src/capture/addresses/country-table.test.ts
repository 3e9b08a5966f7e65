import { describe, expect, test } from 'vitest';
import { addressNumber } from './address-number.ts';
import { countryTable, readTable, tableCountries, writeTable } from './country-table.ts';
import { openAddressCountries } from './shipped-countries.ts';

test.each([
  ['1.2.3.4', { family: 4, value: 16_909_060 }],
  ['255.255.255.255', { family: 4, value: 2 ** 32 - 1 }],
  ['::ffff:1.2.3.4', { family: 4, value: 16_909_060 }],
  ['2001:db8::1', { family: 6, value: 0x20010db800000000n }],
  ['[2001:db8:1:2:3:4:5:6]', { family: 6, value: 0x20010db800010002n }],
  ['fe80::1%eth0', { family: 6, value: 0xfe80000000000000n }],
  ['::', { family: 6, value: 0n }],
  ['example.org', undefined],
  ['1.2.3', undefined],
  ['', undefined],
])('%s => %o', (text, number) => {
  expect(addressNumber(text)).toEqual(number);
});

const TABLE = countryTable(
  'by hand',
  [
    { first: 256, last: 511, country: 'FR' },
    { first: 512, last: 767, country: 'FR' },
    { first: 1024, last: 2 ** 32 - 1, country: 'DE' },
  ],
  [{ first: 0x20010db800000000n, last: 0x20010db8ffffffffn, country: 'CA' }],
);

describe.each([
  ['as made', TABLE],
  ['written and read', readTable(writeTable(TABLE))],
])('a table, %s', (_, table) => {
  const { countryOf, source } = tableCountries(table);
  test.each([
    ['0.0.0.255', undefined],
    ['0.0.1.0', 'FR'],
    ['0.0.2.255', 'FR'],
    ['0.0.3.0', undefined],
    ['0.0.4.0', 'DE'],
    ['255.255.255.255', 'DE'],
    ['2001:db8::5', 'CA'],
    ['2001:db9::', undefined],
    ['nobody', undefined],
  ])('%s => %s', (address, country) => {
    expect(countryOf(address)).toBe(country);
  });
  test('says where it comes from; equal neighbours are one', () => {
    expect(source).toBe('by hand');
    expect(table.v4.starts).toHaveLength(4);
  });
});

test('a table that is cut short => refused', () => {
  const bytes = writeTable(TABLE);
  expect(() => readTable(bytes.subarray(0, bytes.length - 4))).toThrow('cut short');
});

const installed = openAddressCountries();
test.skipIf(!installed)(
  'the database of the package => networks that have stood in one country for decades',
  () => {
    const of = (address: string) => installed?.countryOf(address);
    // INRIA, the universities of Montréal and Geneva, AFNIC; documentation and private addresses belong to
    // nobody.
    expect([of('128.93.162.83'), of('132.204.0.1'), of('129.194.0.1'), of('192.134.5.24')]).toEqual([
      'FR',
      'CA',
      'CH',
      'FR',
    ]);
    expect(of('2001:660::1')).toBe('FR');
    expect(installed?.source).toMatch(/^DB-IP IP to Country Lite, \d{4}-\d\d-\d\d/);
  },
);
