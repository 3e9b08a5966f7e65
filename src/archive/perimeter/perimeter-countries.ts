import { addressNumber } from '../../capture/addresses/address-number.ts';
import { openAddressCountries } from '../../capture/addresses/shipped-countries.ts';
import type { Evidence, PerimeterSpec } from '../../model/perimeter.ts';
import type { Countries } from '../../stages/perimeter-facts.ts';
import { UserError } from '../user-error.ts';
import { countryLines } from './perimeter-definition.ts';

/** Must appear wherever a country taken from the database is shown: its licence requires it. */
export const GEOLOCATION = 'IP Geolocation by DB-IP (https://db-ip.com)';

/** Whether the credit is due for what is shown: a country that did not come from a list of the user's own. */
export const isCredited = (evidence: readonly Evidence[]): boolean =>
  evidence.some(({ criterion, isOwn }) => criterion === 'country' && !isOwn);

/**
 * A list of the user's own takes precedence over the database. Undefined where there is neither, or no criterion uses
 * countries.
 */
export function perimeterCountries({
  addressesFile,
  countries,
}: Pick<PerimeterSpec, 'addressesFile' | 'countries'>): Countries | undefined {
  if (Object.keys(countries).length === 0) return undefined;
  const shipped = openAddressCountries();
  if (addressesFile === undefined) return shipped;
  const own = readRanges(addressesFile);
  return {
    countryOf: (address) => own(address) ?? shipped?.countryOf(address),
    isOwn: (address) => own(address) !== undefined,
  };
}

/** Throws UserError where the user's own list cannot be read. */
export function checkCountries({ addressesFile }: Pick<PerimeterSpec, 'addressesFile'>): void {
  if (addressesFile !== undefined) readRanges(addressesFile);
}

/** `192.0.2.0/24<tab>FR`, or one address: IPv4 only. The first matching line counts. */
function readRanges(file: string): (address: string) => string | undefined {
  const ranges = countryLines(
    file,
    'the list of addresses',
    'an address or a range such as 192.0.2.0/24',
  ).map(({ key, country, line }) => {
    const [address = '', bits = '32'] = key.split('/');
    const number = addressNumber(address);
    if (number?.family !== 4 || !/^\d{1,2}$/.test(bits) || Number(bits) > 32)
      throw new UserError(
        `${file}:${line}: expected an IPv4 address or a range such as 192.0.2.0/24, not '${key}'`,
      );
    const size = 2 ** (32 - Number(bits));
    return { first: Math.floor(number.value / size) * size, size, country };
  });
  return (address) => {
    const number = addressNumber(address);
    if (number?.family !== 4) return undefined;
    return ranges.find(({ first, size }) => number.value >= first && number.value < first + size)?.country;
  };
}
