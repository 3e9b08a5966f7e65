/**
 * A perimeter: which web a library means. Each criterion has outcomes, each outcome a weight in log-odds (natural
 * logarithm): +1 makes a page e ≈ 2.7 times as likely to belong, −1 as much less likely, 0 says nothing. Weights are
 * added, so those of a configuration and those fitted on judged pages are the same thing.
 */
import type { Decision } from '../../model/decision.ts';
import type { OutcomeWeights, TopicWords } from '../../model/perimeter.ts';

export type { OutcomeWeights, TopicWords };

export interface PerimeterDefinition {
  readonly name: string;
  /** Log-odds of a page of which nothing is known. */
  readonly prior: number;
  /** ISO 639-1 codes: `fr`. */
  readonly languages: OutcomeWeights;
  /** Domains and public suffixes: `fr`, `gouv.fr`, `ca`, `example.com`; the longest that fits counts. */
  readonly domains: OutcomeWeights;
  /** Of the server's address, ISO 3166: `FR`. */
  readonly countries: OutcomeWeights;
  /** Countries of domains' holders, by a list that the user imports: registrable domain → ISO 3166. */
  readonly owners: OutcomeWeights;
  readonly ownerOf: ReadonlyMap<string, string>;
  readonly topics: readonly TopicWords[];
  /** Of a page that sells. */
  readonly commercial: number;
  /** a_1 … a_n: weight of the mean relevance of the pages one comes from in k clicks. */
  readonly connectivity: readonly number[];
  /** Those that the configuration declares; the base of those that people make since. */
  readonly decisions: readonly Decision[];
  /** The chance from which a page belongs. */
  readonly threshold: number;
}

/** A perimeter that asks nothing: what is left out of a configuration. */
export const BLANK_PERIMETER: Omit<PerimeterDefinition, 'name'> = {
  prior: 0,
  languages: {},
  domains: {},
  countries: {},
  owners: {},
  ownerOf: new Map(),
  topics: [],
  commercial: 0,
  connectivity: [],
  decisions: [],
  threshold: 0.5,
};
