import type { AlertRule } from '../../model/alert.ts';
import { textOf } from '../../model/body.ts';
import type { Change } from '../../model/change.ts';
import { parseSelector } from '../../model/css-selector.ts';
import { deltaUri, snapshotUri } from '../../model/derived-uris.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog, PatternCatalog, SiteCatalog } from '../../ports/catalog.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import type { ChangeFacts, JudgedChange } from '../../science/alerts/judge-change.ts';
import { type Region, regionOf } from '../../science/alerts/region.ts';
import { chanceOfChange } from '../../science/alerts/unexpected.ts';
import { changeOf, KEPT_TEXT } from '../../science/delta/change-of.ts';
import { parseViDelta } from '../../science/delta/read-vi-delta.ts';
import { learntPattern } from '../../science/patterns/learnt-pattern.ts';
import { slotPlan } from '../../science/patterns/slots.ts';

export interface FactPorts {
  readonly catalog: Pick<CaptureCatalog, 'closest'> &
    Pick<PatternCatalog, 'pagePatterns' | 'learntSite' | 'patternGroups'> &
    Pick<SiteCatalog, 'siteBounds'>;
  readonly reader: Pick<RecordReader, 'read'>;
}

/** The available data of a version that is not stored yet. */
export interface Fresh {
  readonly snapshot?: string;
  readonly viDelta?: string;
}

type ChangedPage = Pick<Change, 'url' | 'from' | 'to' | 'importance'>;

/**
 * What a rule asks about a change besides its operations. A record that cannot be read leaves the fact unknown.
 */
export async function changeFacts(
  { where, when }: AlertRule,
  change: ChangedPage,
  ports: FactPorts,
  fresh: Fresh = {},
): Promise<ChangeFacts> {
  const region = where.css === undefined ? undefined : await regions(where.css, change, ports, fresh);
  const chance = when.unexpected === undefined ? undefined : await chanceOf(change, ports);
  return { ...(region && { region }), ...(chance !== undefined && { chance }) };
}

/** The change with its full texts, if the catalog cut one and the rule reads texts. */
export async function wholeChange<C extends JudgedChange & ChangedPage>(
  { when }: AlertRule,
  change: C,
  ports: FactPorts,
  { viDelta }: Fresh = {},
): Promise<JudgedChange> {
  const reads = when.appears ?? when.vanishes ?? when.number;
  const isCut = change.operations.some(({ old = '', new: now = '' }) =>
    [old, now].some((text) => text.length === KEPT_TEXT && text.endsWith('…')),
  );
  if (reads === undefined || !isCut) return change;
  const written = viDelta ?? (await stored(deltaUri(change.url), change.to, ports));
  try {
    return written === undefined
      ? change
      : changeOf(parseViDelta(written), undefined, Number.POSITIVE_INFINITY);
  } catch {
    return change;
  }
}

async function regions(css: string, { url, from, to }: ChangedPage, ports: FactPorts, fresh: Fresh) {
  const selector = parseSelector(css);
  const seen = (packed: string | undefined): Region | undefined => {
    try {
      return packed === undefined ? undefined : regionOf(unpackSnapshot(packed), selector);
    } catch {
      return undefined;
    }
  };
  const old = seen(await stored(snapshotUri(url), from, ports));
  const now = seen(fresh.snapshot ?? (await stored(snapshotUri(url), to, ports)));
  if (!old && !now) return undefined;
  return { ...(old && { old }), ...(now && { new: now }) };
}

/** The derived record of exactly that capture. */
async function stored(uri: string, at: Millis, { catalog, reader }: FactPorts): Promise<string | undefined> {
  const fact = await catalog.closest(uri, at);
  if (fact?.at !== at) return undefined;
  try {
    return await textOf((await reader.read(fact)).payload);
  } catch {
    // A damaged record loses this condition; `verify` reports it.
    return undefined;
  }
}

async function chanceOf(change: ChangedPage, { catalog }: FactPorts): Promise<number | undefined> {
  for await (const page of catalog.pagePatterns({ urls: [change.url] })) {
    const site = catalog.siteBounds().siteOf(change.url);
    const zone = (await catalog.learntSite(site))?.zone ?? 'UTC';
    const groups = await catalog.patternGroups(site);
    const shared = groups.find(({ kind, number }) => kind === page.kind && number === page.group);
    return chanceOfChange(learntPattern(page.sums, slotPlan(page.kind, { zone }), shared?.shape), change);
  }
  return undefined;
}
