/** French web 2002, §4: importance whose jumps are paid by relevance, to be that of the nation (decisions/0034). */
import { round } from '../experiment/wording.ts';
import { NATION, nationalWeb } from '../perimeter/national-web.ts';
import { type RelevantImportance, relevantImportance } from '../perimeter/relevant-importance.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { mean } from './statistics.ts';

const CRAWLS = [1, 3, 10];
const { other: _, ...domains } = NATION.domains;
/** Weights as chosen for the French web: docs/perimeter.md. */
const DEFINITION = { ...NATION, domains, connectivity: [0.3, 0.25] };

const relevance = paperExperiment<readonly (RelevantImportance & { readonly crawls: number })[]>({
  name: 'french-web-relevance',
  title: 'Importance paid by relevance',
  paper: 'French web 2002',
  figure: '§4',
  method:
    'Ten invented webs of 300 sites (lab/perimeter/national-web.ts), crawled within the perimeter. Importance computed on the way, jumps paid ' +
    'to all pages alike or by their chance of belonging; rank correlation with PageRank whose jumps lead to the pages that belong.',
  measure: ({ seed, quick, progress }) => {
    const webs = Array.from({ length: quick ? 2 : 10 }, (_, run) => {
      progress(`web ${run + 1}`);
      const web = nationalWeb(seed * 1000 + run, quick ? 100 : 300);
      return CRAWLS.map((crawls) => relevantImportance(web, DEFINITION, crawls));
    });
    return CRAWLS.map((crawls, k) => {
      const of = (field: keyof RelevantImportance): number => mean(webs.map((web) => web[k]?.[field] ?? 0));
      const [web, perimeter] = [of('web'), of('perimeter')];
      return { crawls, web, perimeter, webInside: of('webInside'), perimeterInside: of('perimeterInside') };
    });
  },
  rows: (means) =>
    means.map(({ crawls, web, perimeter, webInside, perimeterInside }) => ({
      crawls,
      'read, alike': web,
      'read, by chance': perimeter,
      'belong, alike': webInside,
      'belong, by chance': perimeterInside,
    })),
  claims: [
    {
      statement: 'Paid by relevance, importance is nearer to that of the nation.',
      verdict: (means) => ({
        holds: means.every((one) => one.perimeter > one.web) ? 'holds' : 'does not hold',
        ours: means
          .map((one) => `${round(one.perimeter)} for ${round(one.web)} after ${one.crawls}`)
          .join(', '),
      }),
    },
  ],
});

export const FRENCH_WEB_RELEVANCE: readonly PaperExperiment[] = [relevance];
