import type { AddressCountries } from '../../ports/address-countries.ts';
import { addressNumber } from './address-number.ts';

/**
 * Ranges of addresses and their countries, as sorted starts for binary search. As a file: a line of JSON, then the starts and
 * countries of both families. IPv6 ranges keep only their first 64 bits: nobody is assigned less.
 */
export interface CountryTable {
  readonly source: string;
  /** `''` comes first: no country. */
  readonly countries: readonly string[];
  readonly v4: { readonly starts: Uint32Array; readonly country: Uint8Array };
  readonly v6: { readonly starts: BigUint64Array; readonly country: Uint8Array };
}

interface Range<N> {
  readonly first: N;
  readonly last: N;
  readonly country: string;
}

/** Takes ranges in ascending order that do not overlap; gaps belong to no country. */
export function countryTable(
  source: string,
  ranges4: Iterable<Range<number>>,
  ranges6: Iterable<Range<bigint>>,
): CountryTable {
  const countries = [''];
  const v4 = starts(ranges4, countries, [0, 2 ** 32], (n) => n + 1);
  const v6 = starts(ranges6, countries, [0n, 2n ** 64n], (n) => n + 1n);
  if (countries.length > 256) throw new RangeError(`${countries.length} countries do not fit into a byte`);
  return {
    source,
    countries,
    v4: { starts: Uint32Array.from(v4.starts), country: Uint8Array.from(v4.country) },
    v6: { starts: BigUint64Array.from(v6.starts), country: Uint8Array.from(v6.country) },
  };
}

function starts<N extends number | bigint>(
  ranges: Iterable<Range<N>>,
  countries: string[],
  [zero, past]: readonly [N, N],
  after: (n: N) => N,
): { readonly starts: N[]; readonly country: number[] } {
  const indexOf = new Map(countries.map((name, i) => [name, i]));
  const found: N[] = [zero];
  const country = [0];
  const begin = (at: N, name: string): void => {
    const index = indexOf.get(name) ?? countries.push(name) - 1;
    indexOf.set(name, index);
    if (found[found.length - 1] === at) country[country.length - 1] = index;
    else if (country[country.length - 1] !== index) {
      found.push(at);
      country.push(index);
    }
  };
  let end = zero;
  for (const { first, last, country: name } of ranges) {
    // A second range within 64 bits of IPv6 that already have one.
    if (last < end) continue;
    if (first > end) {
      begin(end, '');
      end = first;
    }
    begin(end, name);
    end = after(last);
  }
  if (end < past) begin(end, '');
  return { starts: found, country };
}

export function writeTable({ source, countries, v4, v6 }: CountryTable): Buffer {
  const head = { source, countries, v4: v4.starts.length, v6: v6.starts.length };
  const parts = [v4.starts, v4.country, v6.starts, v6.country];
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    ...parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  ]);
}

export function readTable(bytes: Buffer): CountryTable {
  const line = bytes.indexOf(10);
  const head = JSON.parse(bytes.toString('utf8', 0, line)) as {
    source: string;
    countries: string[];
    v4: number;
    v6: number;
  };
  let at = line + 1;
  // Copied, because typed arrays need aligned offsets.
  const take = (length: number): ArrayBuffer => {
    const part = new Uint8Array(bytes.subarray(at, at + length)).buffer;
    at += length;
    if (part.byteLength < length) throw new RangeError('the table of countries is cut short');
    return part;
  };
  return {
    source: head.source,
    countries: head.countries,
    v4: { starts: new Uint32Array(take(4 * head.v4)), country: new Uint8Array(take(head.v4)) },
    v6: { starts: new BigUint64Array(take(8 * head.v6)), country: new Uint8Array(take(head.v6)) },
  };
}

export function tableCountries({ source, countries, v4, v6 }: CountryTable): AddressCountries {
  return {
    source,
    countryOf(address) {
      const number = addressNumber(address);
      if (!number) return undefined;
      const index =
        number.family === 4
          ? v4.country[lastAtMost(v4.starts, number.value)]
          : v6.country[lastAtMost(v6.starts, number.value)];
      return countries[index ?? 0] || undefined;
    },
  };
}

/** Index of the last start not greater than the value; the first start is 0. */
function lastAtMost<N extends number | bigint>(starts: ArrayLike<N>, value: N): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as N) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
