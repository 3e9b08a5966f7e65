/** The weights of a definition, fitted to pages that people have judged. */
import type { OutcomeWeights, PerimeterDefinition } from './definition.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { fitLogOdds } from './fit-log-odds.ts';
import type { PageFacts } from './page-facts.ts';

export interface JudgedPage {
  readonly facts: PageFacts;
  readonly inside: boolean;
}

const TABLES = [
  ['language', 'languages'],
  ['domain', 'domains'],
  ['country', 'countries'],
  ['owner', 'owners'],
] as const;

const nameOf = ({ criterion, outcome }: Pick<Evidence, 'criterion' | 'outcome'>): string =>
  `${criterion} ${outcome}`;

/** Outcomes and weights stay those that the definition names; a weight whose outcome no judged page shows stays as it is. */
export function fitWeights(
  definition: PerimeterDefinition,
  judged: readonly JudgedPage[],
): PerimeterDefinition {
  const names = outcomesOf(definition);
  const indexOf = new Map([...names.keys()].map((name, j) => [name, j + 1]));
  const examples = judged.map(({ facts, inside }) => {
    const features = new Array<number>(names.size + 1).fill(0);
    features[0] = 1;
    for (const found of evidenceOf(facts, definition))
      features[indexOf.get(nameOf(found)) as number] = found.strength;
    return { features, belongs: inside ? 1 : 0 };
  });
  const weights = fitLogOdds(examples, [definition.prior, ...names.values()]);
  const fitted = (name: string): number => weights[indexOf.get(name) as number] as number;
  const table = (criterion: string, given: OutcomeWeights): OutcomeWeights =>
    Object.fromEntries(Object.keys(given).map((outcome) => [outcome, fitted(`${criterion} ${outcome}`)]));
  return {
    ...definition,
    prior: weights[0] as number,
    ...Object.fromEntries(TABLES.map(([criterion, key]) => [key, table(criterion, definition[key])])),
    topics: definition.topics.map((topic) => ({ ...topic, weight: fitted(`topic ${topic.name}`) })),
    commercial: definition.commercial === 0 ? 0 : fitted('commercial sells'),
  };
}

function outcomesOf(definition: PerimeterDefinition): Map<string, number> {
  const outcomes = new Map<string, number>();
  for (const [criterion, key] of TABLES)
    for (const [outcome, weight] of Object.entries(definition[key]))
      outcomes.set(`${criterion} ${outcome}`, weight);
  for (const { name, weight } of definition.topics) outcomes.set(`topic ${name}`, weight);
  if (definition.commercial !== 0) outcomes.set('commercial sells', definition.commercial);
  return outcomes;
}
