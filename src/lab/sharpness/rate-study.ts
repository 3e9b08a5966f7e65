/** How well the rates of pages without a history are predicted: trained on some pages of a site, tested on the others. */
import {
  evaluatePredictor,
  type PredictionError,
  type PredictorExample,
  trainPredictor,
} from '../../science/rates/rate-predictor.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { uniform } from '../newspaper/random.ts';
import { directoryOf } from './capture-case.ts';

export interface RateStudyOptions {
  /** Share of the pages held out from the predictor's training. */
  readonly heldOut?: number;
  readonly seed?: number;
}

export interface RateStudy extends PredictionError {
  readonly site: string;
  readonly trained: number;
}

/** Directory means are over the training pages alone, and for each page exclude the page itself. */
export function studyPrediction(
  site: string,
  history: SiteEvents,
  options: RateStudyOptions = {},
): RateStudy {
  const { heldOut = 0.3, seed = 1 } = options;
  const end = history.times.at(-1) ?? 0;
  const pages = [...history.pages].flatMap(([path, events]) => {
    const since = events[0]?.time ?? end;
    if (end - since < 86_400) return [];
    return [{ path, changes: events.length - 1, time: end - since, size: events[0]?.size ?? 0 }];
  });
  const isHeldOut = (path: string): boolean => uniform('held out', seed, path) < heldOut;
  const sums = new Map<string, { changes: number; time: number }>();
  for (const { path, changes, time } of pages) {
    if (isHeldOut(path)) continue;
    const sum = sums.get(directoryOf(path)) ?? { changes: 0, time: 0 };
    sums.set(directoryOf(path), { changes: sum.changes + changes, time: sum.time + time });
  }
  const toTraining = ({ path, changes, time, size }: (typeof pages)[number]): PredictorExample => {
    const sum = sums.get(directoryOf(path)) ?? { changes: 0, time: 0 };
    const own = isHeldOut(path) ? { changes: 0, time: 0 } : { changes, time };
    const rest = { changes: sum.changes - own.changes, time: sum.time - own.time };
    const directory = rest.time > 0 ? { directoryRate: (rest.changes / rest.time) * 86_400 } : {};
    return { facts: { path: `/${path}`, size, ...directory }, changes, time };
  };
  const training = pages.filter(({ path }) => !isHeldOut(path)).map(toTraining);
  const test = pages.filter(({ path }) => isHeldOut(path)).map(toTraining);
  return { site, trained: training.length, ...evaluatePredictor(trainPredictor(training), test) };
}
