/** Verdicts on all pages of a complete given web: pages that were read, links, and suspects known only by links. */
import { Decisions } from '../../model/decisions.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { CRITERIA, type Criterion } from '../../science/perimeter/evidence.ts';
import { fitLogOdds, type JudgedExample } from '../../science/perimeter/fit-log-odds.ts';
import { fitWeights } from '../../science/perimeter/fit-weights.ts';
import type { PageFacts } from '../../science/perimeter/page-facts.ts';
import type { WeighedPage } from '../../science/perimeter/perimeter-size.ts';
import { Propagation } from '../../science/perimeter/propagation.ts';
import {
  type Coefficients,
  featuresOf,
  judge,
  type PerimeterVerdict,
  statedCoefficients,
} from '../../science/perimeter/verdict.ts';

export interface GivenPage {
  readonly facts: PageFacts;
  /** Whether it belongs, if known. */
  readonly truth?: boolean;
}

export interface GivenWeb {
  readonly pages: ReadonlyMap<string, GivenPage>;
  /** For each page, those it links to, which need not be among the pages. */
  readonly links: ReadonlyMap<string, readonly string[]>;
  /** What is known about a URL that was not read. */
  readonly suspectFacts: (url: string) => PageFacts;
}

export interface JudgedUrl {
  readonly url: string;
  readonly read: boolean;
  readonly truth?: boolean;
  readonly verdict: PerimeterVerdict;
  readonly known: WeighedPage;
}

/** Relevance flows along links once; everything is judged by the definition as stated, or by coefficients fitted since. */
export function judgeWeb(
  web: GivenWeb,
  definition: PerimeterDefinition,
  coefficients: Coefficients = statedCoefficients(definition),
): JudgedUrl[] {
  const urls = [...new Set([...web.pages.keys(), ...[...web.links].flatMap(([from, to]) => [from, ...to])])];
  const idOf = new Map(urls.map((url, id) => [url, id]));
  const linksOf = (id: number): number[] =>
    (web.links.get(urls[id] as string) ?? []).map((url) => idOf.get(url) as number);
  const flow = new Propagation(definition.connectivity.length);
  const decisions = new Decisions(definition.decisions);
  const plain = (facts: PageFacts, means: readonly number[]) =>
    judge(facts, means, definition, coefficients, decisions.on(facts.url, 0).verdict);
  for (const [url, { facts }] of web.pages) {
    const id = idOf.get(url) as number;
    flow.read(id, plain(facts, []).own, linksOf(id));
  }
  flow.settle(linksOf);
  return urls.map((url, id): JudgedUrl => {
    const page = web.pages.get(url);
    const means = flow.means(id);
    const suspect = web.suspectFacts(url);
    const verdict = plain(page?.facts ?? suspect, means);
    const decided = verdict.decision && verdict.decision.act.kind === 'in';
    const inside = page?.truth ?? decided;
    return {
      url,
      read: page !== undefined,
      verdict,
      ...(page?.truth !== undefined && { truth: page.truth }),
      known: {
        site: suspect.domain,
        asSuspect: featuresOf(page ? plain(suspect, means).own : verdict.own, means),
        ...(page && { asRead: featuresOf(verdict.own, means) }),
        ...(inside !== undefined && { inside }),
      },
    };
  });
}

/**
 * Judges pages with weights and coefficients fitted to pages of other sites whose truth is known; sites are dealt to
 * folds in turn.
 */
export function judgeHeldOut(web: GivenWeb, definition: PerimeterDefinition, folds = 5): JudgedUrl[] {
  const siteOf = (url: string): string => web.suspectFacts(url).domain;
  const sites = [...new Set([...web.pages.keys()].map(siteOf))];
  const foldOf = new Map(sites.map((site, i) => [site, i % folds]));
  const foldOfUrl = (url: string): number => foldOf.get(siteOf(url)) ?? 0;
  const judged: JudgedUrl[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const fitted = judgeFitted(web, definition, (url) => foldOfUrl(url) !== fold);
    judged.push(...fitted.filter(({ url }) => foldOfUrl(url) === fold));
  }
  return judged;
}

function judgeFitted(
  web: GivenWeb,
  definition: PerimeterDefinition,
  learnFrom: (url: string) => boolean,
): JudgedUrl[] {
  const known = [...web.pages].filter(([url, { truth }]) => truth !== undefined && learnFrom(url));
  const weights = fitWeights(
    definition,
    known.map(([, { facts, truth }]) => ({ facts, inside: truth === true })),
  );
  const first = judgeWeb(web, weights);
  const examples: JudgedExample[] = first.flatMap(({ url, known: { asRead }, truth }) =>
    asRead && truth !== undefined && learnFrom(url) ? [{ features: asRead, belongs: Number(truth) }] : [],
  );
  return judgeWeb(web, weights, fitLogOdds(examples, statedCoefficients(weights)));
}

/** Whether a criterion alone would take the page in, i.e. speaks for it. */
export function takenBy(criterion: Criterion, { evidence }: PerimeterVerdict): boolean {
  return (
    evidence
      .filter((found) => found.criterion === criterion)
      .reduce((sum, { strength, weight }) => sum + strength * weight, 0) > 0
  );
}

/** Criteria that speak for any of the pages: one that only speaks against pages cannot choose. */
export const choosingCriteria = (judged: readonly JudgedUrl[]): readonly Criterion[] =>
  CRITERIA.filter((criterion) => judged.some(({ verdict }) => takenBy(criterion, verdict)));
