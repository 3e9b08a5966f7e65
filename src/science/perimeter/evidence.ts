/**
 * What a page's own criteria say of it (X of propagation.ts). No single one is enough (French web 2002, §2.4): the language
 * is also that of Quebec, `.fr` is not all of France, servers may be abroad. Each outcome found adds its weight times its
 * strength to the log-odds, as independent evidence does; that criteria are not independent is dealt with by the fit of the
 * weights (fit-log-odds.ts) and the calibration (verdict.ts).
 */
import { CRITERIA, type Criterion, type Evidence, type OutcomeWeights } from '../../model/perimeter.ts';
import type { PerimeterDefinition } from './definition.ts';
import { longestDomain } from './domain-list.ts';
import type { PageFacts } from './page-facts.ts';
import { commercialStrength, topicStrength } from './text-signals.ts';

export { CRITERIA, type Criterion, type Evidence };

/** Relevance of pages that people have decided about, and the most that criteria can say: odds of 400 : 1. */
export const UTMOST = 6;

/** The outcomes found for which the definition has a weight, in the order of CRITERIA. */
export function evidenceOf(facts: PageFacts, definition: PerimeterDefinition): Evidence[] {
  const { language, country, isOwnCountry, text = '' } = facts;
  const found: Evidence[] = [];
  const add = (criterion: Criterion, weights: OutcomeWeights, name: string | undefined, strength = 1) => {
    if (name === undefined) return;
    const outcome = Object.hasOwn(weights, name) ? name : 'other';
    const weight = weights[outcome];
    if (weight === undefined || strength <= 0) return;
    const isOwn = criterion === 'country' && isOwnCountry;
    found.push({ criterion, outcome, found: name, strength, weight, ...(isOwn && { isOwn }) });
  };
  add('language', definition.languages, language?.code, language?.chance);
  add('domain', definition.domains, longestDomain(facts.host, definition.domains) ?? suffixOf(facts.host));
  add('country', definition.countries, country);
  add('owner', definition.owners, definition.ownerOf.get(facts.domain));
  if (text !== '') {
    for (const topic of definition.topics)
      add('topic', { [topic.name]: topic.weight }, topic.name, topicStrength(text, topic));
    if (definition.commercial !== 0)
      add('commercial', { sells: definition.commercial }, 'sells', commercialStrength(text));
  }
  return found;
}

const TABLES = { language: 'languages', domain: 'domains', country: 'countries', owner: 'owners' } as const;

/** Evidence found under other weights, reweighted by the definition; outcomes it no longer knows are dropped. */
export function reweighed(evidence: readonly Evidence[], definition: PerimeterDefinition): Evidence[] {
  const weightOf = ({ criterion, found }: Evidence): readonly [string, number | undefined] => {
    if (criterion === 'topic') return [found, definition.topics.find(({ name }) => name === found)?.weight];
    if (criterion === 'commercial') return [found, definition.commercial || undefined];
    const weights = definition[TABLES[criterion]];
    const outcome = Object.hasOwn(weights, found) ? found : 'other';
    return [outcome, weights[outcome]];
  };
  return evidence.flatMap((one) => {
    const [outcome, weight] = weightOf(one);
    return weight === undefined ? [] : [{ ...one, outcome, weight }];
  });
}

/** For a host that matches no entry: what is shown as found. An IP address has none. */
const suffixOf = (host: string): string | undefined =>
  /^[\d.]+$|^\[/.test(host) ? undefined : host.slice(host.lastIndexOf('.') + 1).toLowerCase();

/** Their sum, without the prior, limited to ±UTMOST. */
export function ownRelevance(evidence: readonly Evidence[]): number {
  const sum = evidence.reduce((total, { strength, weight }) => total + strength * weight, 0);
  return Math.min(Math.max(sum, -UTMOST), UTMOST);
}
