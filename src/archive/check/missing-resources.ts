import { captureResolver, isOlderStandIn } from '../../access/resolve-capture.ts';
import { urlVariants } from '../../access/url-variants.ts';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { MissingResource } from '../../model/page-check.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { Millis } from '../../model/time.ts';
import type { AdRecogniser, AdUse } from '../../ports/ad-recogniser.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import { DamagedRecord, type RecordReader } from '../../ports/record-store.ts';
import { shownBy } from '../../science/check/lost-pictures.ts';

export interface MissingPorts {
  readonly catalog: CaptureCatalog;
  readonly reader: Pick<RecordReader, 'read'>;
  readonly ads: AdRecogniser;
  readonly at: Millis;
}

/** What counts as received: an answer that is not an error. */
const isGood = (status: number): boolean => status >= 200 && status < 400;

/**
 * What the live page received and the archive cannot supply: found from the requests that replay made in vain, and from
 * the page info, which also names what replay did not get as far as requesting. What nobody received live is not
 * damage.
 */
export async function missingResources(
  info: PageInfo | undefined,
  asked: readonly string[],
  live: PageSnapshot,
  ports: MissingPorts,
): Promise<{ readonly missing: readonly MissingResource[]; readonly neverHad: number }> {
  const named = Object.entries(info?.resources ?? {}).filter(([, one]) => typeof one?.status === 'number');
  const had = new Map(named.map(([url, one]) => [plain(url), one]));
  if (info && isGood(info.status))
    had.set(plain(info.url), { status: info.status, mime: info.mime, type: 'document' });
  const gone = new Map<string, string>();
  let neverHad = 0;
  for (const url of asked) {
    const known = had.get(url);
    if (known ? isGood(known.status) : !info) gone.set(url, known?.type ?? 'other');
    else neverHad++;
  }
  for (const [url, { status, type }] of had)
    if (isGood(status) && /^https?:/u.test(url) && !gone.has(url) && !(await isHeld(url, ports)))
      gone.set(url, type);
  const shares = shownBy(new Set(gone.keys()), live);
  const missing = [...gone].map(([url, type]): MissingResource => {
    const isAd = ports.ads.isAdvertisement(url, live.url, useOf(type));
    return { url, type, matters: round(shares.get(url) ?? 0), ...(isAd && { advertisement: true as const }) };
  });
  return { missing, neverHad };
}

async function isHeld(url: string, ports: MissingPorts): Promise<boolean> {
  const { catalog, at } = ports;
  for (const candidate of urlVariants(url)) {
    const fact = await catalog.closest(candidate, at);
    if (!fact) continue;
    const original = await catalog.originalOf(fact);
    if (original ?? (fact.digest.size === 0 ? fact : undefined))
      return (await isReadable(original ?? fact, ports)) || (await hasStandIn(url, ports));
  }
  return false;
}

async function isReadable(fact: CaptureFact, { reader }: MissingPorts): Promise<boolean> {
  try {
    await (await reader.read(fact)).payload.release();
    return true;
  } catch (error) {
    if (error instanceof DamagedRecord) return false;
    throw error;
  }
}

async function hasStandIn(url: string, { catalog, reader, at }: MissingPorts): Promise<boolean> {
  try {
    const found = await captureResolver(catalog, reader).resolve(url, at);
    if (found.kind !== 'found') return false;
    await found.capture.payload.release();
    return !isOlderStandIn(found.capture);
  } catch (error) {
    if (error instanceof DamagedRecord) return false;
    throw error;
  }
}

const plain = (url: string): string => url.split('#', 1)[0] ?? url;
const useOf = (type: string): AdUse => (/^(?:document|subdocument|iframe)$/iu.test(type) ? 'frame' : 'image');
const round = (value: number): number => Math.round(value * 1e4) / 1e4;
