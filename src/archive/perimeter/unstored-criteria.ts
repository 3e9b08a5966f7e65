import type { OutcomeWeights, PerimeterSpec } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import type { PerimeterCatalog, ResultCatalog } from '../../ports/catalog.ts';

/**
 * What a perimeter weighs but earlier crawls stored nothing about: what a page says of a criterion is stored only where
 * the perimeter of its crawl had a weight for it. In sentences; pages judged since everything has been weighed do not
 * count.
 */
export async function unstoredCriteria(
  spec: PerimeterSpec,
  catalog: Pick<ResultCatalog, 'crawls'> & Pick<PerimeterCatalog, 'perimeterCounts'>,
): Promise<readonly string[]> {
  const { name } = spec;
  const crawls = (await catalog.crawls())
    .flatMap(({ startedAt, spec: { perimeter } }) =>
      perimeter?.name === name ? [{ startedAt, perimeter }] : [],
    )
    .sort((a, b) => b.startedAt - a.startedAt);
  // Keyed by the time since which all crawls have stored it.
  const since = new Map<Millis, string[]>();
  for (const asked of askedOf(spec)) {
    const without = crawls.findIndex(({ perimeter }) => !asked.isKeptBy(perimeter));
    if (without < 0) continue;
    const from = crawls[without - 1]?.startedAt ?? Number.MAX_SAFE_INTEGER;
    since.set(from, [...(since.get(from) ?? []), asked.words]);
  }
  const notes: string[] = [];
  const all = await readSince(catalog, name, 0);
  for (const [from, criteria] of since) {
    const pages = all - (await readSince(catalog, name, from));
    if (pages === 0) continue;
    notes.push(
      `perimeter ${name}: ${pages} page${pages === 1 ? ' was' : 's were'} read by crawls that had no weight for ` +
        `${criteria.join(', ')} and kept nothing of it: ${pages === 1 ? 'it counts' : 'they count'} as if nothing were known. ` +
        `To have it weighed, read them again with 'daguerre archive … --perimeter ${name}' and this configuration`,
    );
  }
  return notes;
}

interface Asked {
  readonly words: string;
  isKeptBy(spec: PerimeterSpec): boolean;
}

function askedOf({ languages, domains, countries, owners, topics, commercial }: PerimeterSpec): Asked[] {
  // Where other outcomes had a weight, each was stored under its own name.
  const outcomes = (criterion: string, table: OutcomeWeights, of: (spec: PerimeterSpec) => OutcomeWeights) =>
    Object.keys(table).map((outcome) => ({
      words: `${criterion} ${outcome}`,
      isKeptBy: (spec: PerimeterSpec) => Object.hasOwn(of(spec), outcome) || Object.hasOwn(of(spec), 'other'),
    }));
  return [
    ...outcomes('language', languages, (spec) => spec.languages),
    ...outcomes('domain', domains, (spec) => spec.domains),
    ...outcomes('country', countries, (spec) => spec.countries),
    ...outcomes('owner', owners, (spec) => spec.owners),
    ...topics.map(({ name, words }) => ({
      words: `topic ${name}`,
      isKeptBy: (spec: PerimeterSpec) =>
        spec.topics.some((one) => one.name === name && one.words.join('\n') === words.join('\n')),
    })),
    ...(commercial === 0
      ? []
      : [{ words: 'commercial', isKeptBy: (spec: PerimeterSpec) => spec.commercial !== 0 }]),
  ];
}

async function readSince(
  catalog: Pick<PerimeterCatalog, 'perimeterCounts'>,
  name: string,
  since: Millis,
): Promise<number> {
  const { inside, outside } = await catalog.perimeterCounts(name, since);
  return inside + outside;
}
