import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AddressCountries } from '../../ports/address-countries.ts';
import { type CountryTable, countryTable, readTable, tableCountries, writeTable } from './country-table.ts';

/**
 * IP to Country Lite by DB-IP (https://db-ip.com, CC BY 4.0), from npm `@ip-location-db/dbip-country`: 65 MB of CSV, compiled
 * when the package is built and kept beside the bundled code. When run from source, the CSV itself is used. See
 * decisions/0026.
 */
const FOLDER = 'address-countries';
const TABLE = 'countries.table';
const PACKAGE = '@ip-location-db/dbip-country';

/** Undefined where neither the built table nor the npm package is present: addresses then say nothing about countries. */
export function openAddressCountries(): AddressCountries | undefined {
  const shipped = new URL(`./${FOLDER}/${TABLE}`, import.meta.url);
  if (existsSync(shipped)) return tableCountries(readTable(readFileSync(shipped)));
  const home = packageFolder();
  return home === undefined ? undefined : tableCountries(compiled(home));
}

/** The files a build puts there, by path. */
export function shippedCountryFiles(): ReadonlyMap<string, Buffer> {
  const home = packageFolder();
  if (home === undefined)
    throw new Error(`no countries to compile: ${PACKAGE} is not installed; run \`npm ci\``);
  return new Map([
    [`${FOLDER}/${TABLE}`, writeTable(compiled(home))],
    [`${FOLDER}/LICENSE`, readFileSync(join(home, 'DBIP-LICENSE'))],
  ]);
}

/** Searched for as Node does, but as a folder: the package exports nothing. */
function packageFolder(): string | undefined {
  const places = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  return places.map((place) => join(place, PACKAGE)).find(existsSync);
}

function compiled(home: string): CountryTable {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const day = version.split('.')[2]?.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');
  // Numeric addresses: parsing them as text takes five times as long.
  const ranges = <N>(family: 4 | 6, number: (text: string) => N) =>
    readFileSync(join(home, `dbip-country-ipv${family}-num.csv`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [first = '', last = '', country = ''] = line.split(',');
        return { first: number(first), last: number(last), country };
      });
  return countryTable(
    `DB-IP IP to Country Lite, ${day} (https://db-ip.com)`,
    ranges(4, Number),
    ranges(6, (text) => BigInt(text) >> 64n),
  );
}
