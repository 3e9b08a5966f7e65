/**
 * A perimeter: which web a library means. Each criterion has outcomes, each outcome a weight in log-odds (natural
 * logarithm): +1 makes a page e ≈ 2.7 times as likely to belong, −1 as much less likely, 0 says nothing. Weights are
 * added, so configured weights and those fitted on judged pages are the same kind of thing.
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
  /** Domains and public suffixes: `fr`, `gouv.fr`, `ca`, `example.com`; the longest match counts. */
  readonly domains: OutcomeWeights;
  /** Of the server's address, ISO 3166: `FR`. */
  readonly countries: OutcomeWeights;
  /** Countries of domain holders, from a list that the user imports: registrable domain → ISO 3166. */
  readonly owners: OutcomeWeights;
  readonly ownerOf: ReadonlyMap<string, string>;
  readonly topics: readonly TopicWords[];
  /** For a page that sells. */
  readonly commercial: number;
  /** a_1 … a_n: weight of the mean relevance of the pages that lead here in k clicks. */
  readonly connectivity: readonly number[];
  /** Decisions declared in the configuration; people's later ones are added to these. */
  readonly decisions: readonly Decision[];
  /** The chance from which on a page belongs. */
  readonly threshold: number;
}

/** A perimeter without any criteria: defaults for what a configuration leaves out. */
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
