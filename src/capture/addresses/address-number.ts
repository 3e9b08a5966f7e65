import { isIP } from 'node:net';

/**
 * An address as a number: a whole IPv4 address, the first half of an IPv6 one. Undefined for anything else.
 */
export type AddressNumber =
  | { readonly family: 4; readonly value: number }
  | { readonly family: 6; readonly value: bigint };

export function addressNumber(address: string): AddressNumber | undefined {
  const bare = address.replace(/^\[|\]$|%.*$/g, '');
  const family = isIP(bare);
  if (family === 4) return { family, value: ipv4(bare) };
  if (family !== 6) return undefined;
  // `::ffff:192.0.2.1` is an IPv4 address in IPv6 notation; the URL parser gives it a single spelling.
  const groups = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(groups);
  if (mapped) return { family: 4, value: Number(`0x${mapped[1]}`) * 65_536 + Number(`0x${mapped[2]}`) };
  const [head = '', tail] = groups.split('::');
  const words = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = [...words, ...Array<string>(8 - words.length - rest.length).fill('0'), ...rest];
  return { family, value: all.slice(0, 4).reduce((sum, word) => (sum << 16n) | BigInt(`0x${word}`), 0n) };
}

const ipv4 = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
