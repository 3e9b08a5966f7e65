import type { PatternGroup, PatternKind } from '../model/pattern.ts';
import type { PatternCatalog } from '../ports/catalog.ts';
import type { Holidays } from '../ports/holidays.ts';
import { confidence, shapeOf } from '../science/patterns/change-pattern.ts';
import { learntPattern } from '../science/patterns/learnt-pattern.ts';
import { type SlotOptions, slotPlan } from '../science/patterns/slots.ts';
import type { PageRhythm } from '../science/policy/hourly-changes.ts';

/** When pages change, as far as the archive has learnt it. */
export interface SiteRhythm {
  of(url: string): PageRhythm | undefined;
}

export interface RhythmPorts {
  readonly catalog: Pick<PatternCatalog, 'learntSite' | 'patternGroups' | 'pagePatterns'>;
  readonly holidays?: Holidays;
}

/** Pages whose hours are held; schedules by hour are made for no more than these. */
const HELD = 10_000;

/** Stage: what was learnt of the pages of these sites → when in the day, or the week, each of them changes. */
export async function openSiteRhythm(sites: Iterable<string>, ports: RhythmPorts): Promise<SiteRhythm> {
  const rhythms = new Map<string, PageRhythm>();
  for (const site of new Set(sites)) await readSite(site, ports, rhythms);
  return { of: (url) => rhythms.get(url) };
}

async function readSite(
  site: string,
  { catalog, holidays: calendar }: RhythmPorts,
  rhythms: Map<string, PageRhythm>,
): Promise<void> {
  const learnt = await catalog.learntSite(site);
  if (!learnt) return;
  const { zone, holidays } = learnt;
  const isHoliday = holidays === undefined ? undefined : await calendar?.(holidays);
  const slots: SlotOptions = { zone, ...(isHoliday && { isHoliday }) };
  const shapes = new Map((await catalog.patternGroups(site)).map((group) => [keyOf(group), group.shape]));
  for await (const { url, kind, group, changes, sums, goneAt } of catalog.pagePatterns({ site })) {
    // For a page that never changed, its rate says everything.
    if (changes === 0 || goneAt !== undefined) continue;
    if (rhythms.size >= HELD) return;
    const plan = slotPlan(kind, slots);
    const pattern = learntPattern(sums, plan, shapes.get(keyOf({ kind, number: group })));
    rhythms.set(url, { plan, shape: shapeOf(pattern), confidence: confidence(pattern) });
  }
}

const keyOf = ({ kind, number }: Pick<PatternGroup, 'kind' | 'number'> & { kind: PatternKind }): string =>
  `${kind} ${number}`;
