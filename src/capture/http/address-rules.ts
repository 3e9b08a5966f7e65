import { BlockList, isIP } from 'node:net';

/**
 * Which addresses a crawl may connect to. A page can name any host, and a host can resolve to anything: the
 * router, a cloud's metadata service, a database on this machine. Only globally routable unicast addresses
 * are public; the lists are IANA's special-purpose registries (IPv4 and IPv6).
 */
const SPECIAL_V4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network; 0.0.0.0 reaches loopback on Linux
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers (CGNAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relay anycast, withdrawn
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Inside 2000::/3, the only part of IPv6 handed out as global unicast. Everything outside it is refused. */
const SPECIAL_V6: readonly (readonly [address: string, bits: number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['3fff::', 20], // documentation
  ['5f00::', 16], // segment routing
];

const v4 = new BlockList();
for (const [address, bits] of SPECIAL_V4) v4.addSubnet(address, bits, 'ipv4');
const v6 = new BlockList();
for (const [address, bits] of SPECIAL_V6) v6.addSubnet(address, bits, 'ipv6');

/** False for anything that is not the text of an IP address. */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !v4.check(ip, 'ipv4');
  if (family === 0) return false;
  const words = wordsOf(ip);
  const embedded = embeddedV4(words);
  if (embedded !== undefined) return !v4.check(embedded, 'ipv4');
  return ((words[0] ?? 0) & 0xe000) === 0x2000 && !v6.check(unzoned(ip), 'ipv6');
}

/**
 * IPv6 forms that carry an IPv4 address to which a translator or tunnel delivers: the embedded address
 * decides.
 */
function embeddedV4(words: readonly number[]): string | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words;
  const zeros = (a | b | c | d) === 0;
  const mapped = zeros && e === 0 && f === 0xffff; // ::ffff:0:0/96
  const translated = zeros && e === 0xffff && f === 0; // ::ffff:0:0:0/96 (SIIT)
  const nat64 = a === 0x64 && b === 0xff9b && (c | d | e | f) === 0; // 64:ff9b::/96
  if (mapped || translated || nat64) return dotted(g, h);
  if (a === 0x2002) return dotted(b, c); // 6to4
  return undefined;
}

const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** `fe80::1%eth0` → `fe80::1`. */
const unzoned = (ip: string): string => ip.split('%', 1)[0] ?? ip;

function wordsOf(ip: string): readonly number[] {
  let text = unzoned(ip);
  const lastColon = text.lastIndexOf(':');
  if (text.includes('.', lastColon)) {
    const [a = 0, b = 0, c = 0, d = 0] = text
      .slice(lastColon + 1)
      .split('.')
      .map(Number);
    text = `${text.slice(0, lastColon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const [before = '', after] = text.split('::', 2);
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  if (after === undefined) return parse(before);
  const head = parse(before);
  const tail = parse(after);
  return [...head, ...new Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
}
