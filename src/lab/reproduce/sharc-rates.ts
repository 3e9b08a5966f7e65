/** What SHARC 2009 assumes: that the rates of pages can be predicted before they are seen. */

import { type Row, Skipped } from '../experiment/experiment.ts';
import { grade, round } from '../experiment/wording.ts';
import { type RateStudy, studyPrediction } from '../sharpness/rate-study.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { ANY_SITE, siteHistories } from './site-histories.ts';

const rates = paperExperiment<RateStudy[]>({
  name: 'sharc-rates',
  title: 'Rates of pages without a history',
  paper: 'SHARC 2009',
  figure: '§1',
  method:
    'Real histories; a regression on the URL, its directory and the size, trained on 70% of the pages of a site, tested on ' +
    'the others. Error: mean of |ln(predicted ÷ true changes)|, half a change added to both; 0.69 is a factor of two.',
  measure: ({ data, quick, seed, progress }) => {
    const histories = siteHistories(data, ANY_SITE);
    if (histories instanceof Skipped) return histories;
    return [...histories].slice(0, quick ? 1 : undefined).map(([site, history]) => {
      progress(site);
      return studyPrediction(site, history, { seed });
    });
  },
  rows: (sites) => sites.map((site): Row => ({ ...site })),
  plots: (sites) => [
    {
      title: 'Rank correlation of predicted and true rates, pages held out',
      x: '',
      y: 'rank correlation',
      kind: 'bars',
      series: [
        { name: 'ours', points: sites.map(({ site, rankCorrelation }) => ({ x: site, y: rankCorrelation })) },
      ],
    },
  ],
  claims: [
    {
      statement: 'Change rates can be predicted from page types, directory depths and URL names.',
      verdict: (sites) => ({
        holds: grade(sites.map((one) => one.rankCorrelation >= 0.5 && one.logError < one.logErrorOfConstant)),
        ours: `Rank correlation, error and error of one rate for all: ${sites
          .map(
            (one) =>
              `${one.site} ${[one.rankCorrelation, one.logError, one.logErrorOfConstant].map(round).join(', ')}`,
          )
          .join('; ')}.`,
      }),
    },
  ],
});

export const SHARC_RATES: readonly PaperExperiment[] = [rates];
