/**
 * The policies that the papers compare, and those that crawlers use. Each is a score per page.
 *
 * M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012), §9, §10.
 *
 *   importance-pattern  U = ω(P)·ω_k·(t − lastRefresh)          Algorithm 5
 *   importance          U with the page's mean ω in place of ω_k  §10.1
 *   pattern             U with the change rate of the slot       §10.1
 *   relevance           whole sweeps in order of page importance  (Cho, Garcia-Molina, Page 1998)
 *   frequency           freshness optimum                         (Cho, Garcia-Molina 2003)
 *   coherence           whole sweeps, least risky first           (Spaniol et al. 2009)
 *   sharc-sweep         whole sweeps as an organ pipe             (Denev et al. 2009)
 *   round-robin         oldest visit first
 *   adaptive-interval   interval × 0.8 after a change, × 1.4 without: the rule of Nutch and StormCrawler; the page
 *                       overdue longest first, as in StormCrawler
 *
 * Departure: the paper's Relevance "downloads in a fixed order"; implemented as sweeps, since the same M pages in every period
 * would exclude all others for good.
 */
import { choRate, freshnessOptimum } from './freshness.ts';
import { rowsAt } from './pattern-table.ts';
import { hoursSince, type RefreshPolicy, type Score, scoredPolicy } from './policy.ts';
import { REFRESH, type RefreshState } from './state.ts';

/** ω_k of the period ahead of every page: how likely a change in it × how much it matters there. */
function urgency(kind: 'importance-pattern' | 'importance' | 'pattern'): Score {
  return (state, now, scores) => {
    // The period that a visit now belongs to is the one that begins now.
    const { shape, emphasis } = rowsAt(state.table, now + 1);
    const hours = state.table.plans.map(({ period }) => period / 3600);
    for (let page = 0; page < state.size; page++) {
      const row = state.row[page] as number;
      const period = hours[state.table.planOf[row] as number] as number;
      const rate = (state.rate[page] as number) * (kind === 'importance' ? 1 : (shape[row] as number));
      const weight = kind === 'pattern' ? 1 : (state.importance[page] as number);
      const accent = kind === 'importance-pattern' ? (emphasis[row] as number) : 1;
      const expected = -Math.expm1(-rate * period) * weight * accent;
      scores[page] = (state.weight[page] as number) * expected * hoursSince(state, page);
    }
  };
}

const waited = (state: RefreshState, page: number): string =>
  `${hoursSince(state, page).toFixed(1)} h since the last visit`;

export const importancePattern: RefreshPolicy = scoredPolicy(
  'importance-pattern',
  urgency('importance-pattern'),
  (state, page, score) => `urgency ${score.toPrecision(3)}, ${waited(state, page)}`,
);

export const importance: RefreshPolicy = scoredPolicy(
  'importance',
  urgency('importance'),
  (state, page, score) => `urgency ${score.toPrecision(3)} by mean importance, ${waited(state, page)}`,
);

export const pattern: RefreshPolicy = scoredPolicy(
  'pattern',
  urgency('pattern'),
  (state, page, score) => `urgency ${score.toPrecision(3)} by change rate, ${waited(state, page)}`,
);

export const roundRobin: RefreshPolicy = scoredPolicy(
  'round-robin',
  (state, _now, scores) => {
    // Visited pages by age; those never visited, lowest number first. Ages below a tick are separated by the tie rule.
    for (let page = 0; page < state.size; page++) scores[page] = hoursSince(state, page);
  },
  waited,
);

export const adaptiveInterval: RefreshPolicy = scoredPolicy(
  'adaptive-interval',
  (state, _now, scores) => {
    // The longest interval is added so that pages not due yet are ranked too.
    for (let page = 0; page < state.size; page++) {
      scores[page] = REFRESH.maxInterval + hoursSince(state, page) - (state.interval[page] as number);
    }
  },
  (state, page) => `${waited(state, page)}, due after ${(state.interval[page] as number).toFixed(1)} h`,
);

/** Cho's estimate, per hour; before any visit the state's prior. */
export function estimatedRates(state: RefreshState): Float64Array {
  return Float64Array.from({ length: state.size }, (_, page) => {
    const visits = state.visits[page] as number;
    if (visits === 0) return state.rate[page] as number;
    return choRate(state.unchanged[page] as number, visits) / ((state.watched[page] as number) / visits);
  });
}

/** Recomputed every round from what is known then, and for the pace of the crawl. */
export const frequency: RefreshPolicy = scoredPolicy(
  'frequency',
  (state, _now, scores) => {
    const often = freshnessOptimum(estimatedRates(state), state.pace, 1 / state.round);
    for (let page = 0; page < state.size; page++) {
      const visits = often[page] as number;
      // Never visited so far: its phase is derived from its number, otherwise all would fall due together.
      const first = state.sweeps[page] === 0 && visits > 0 ? ((page * 0.618_034) % 1) * 0.999 : 0;
      scores[page] = visits * hoursSince(state, page) + first;
    }
  },
  (state, page, score) => `${score.toPrecision(3)} of its interval for freshness, ${waited(state, page)}`,
);
