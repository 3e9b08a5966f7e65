/**
 * The most that this many requests could have captured, each saved for as long as necessary, had every change been
 * known.
 */
import { bankedOptimum } from '../../science/quality/clairvoyant-banked.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import type { WatchedWeb } from './watched-web.ts';

const HOUR = 3600;

export function optimumOf(
  web: WatchedWeb,
  pace: number,
): { readonly perPage: number; readonly pooled: number } {
  return { perPage: optimum(web, pace, 'per-page'), pooled: optimum(web, pace, 'pooled') };
}

function optimum({ start, end, pages }: WatchedWeb, pace: number, objective: Objective): number {
  const [from, to] = [start / 1000, end / 1000];
  const ticks = Math.floor((to - from) / HOUR);
  const earned = Int32Array.from(
    { length: ticks },
    (_, k) => Math.floor((k + 1) * pace) - Math.floor(k * pace),
  );
  let all = 0;
  const jobs = [];
  for (const { weight, versions, goneAt = Infinity } of pages.values()) {
    const appeared = versions.reduce((sum, { importance }) => sum + importance, 0);
    if (!(appeared > 0)) continue;
    all += objective === 'per-page' ? weight : weight * appeared;
    for (const [index, { time, importance }] of versions.entries()) {
      // An upper bound: any moment of its life would do, so the last hour that it touches counts in full.
      const until = Math.min(versions[index + 1]?.time ?? Infinity, goneAt, to);
      const first = Math.max(0, Math.floor((time - from) / HOUR));
      const last = Math.min(ticks - 1, Math.floor((until - from) / HOUR));
      if (last < first) continue;
      jobs.push({
        first,
        last,
        weight: weight * (objective === 'per-page' ? importance / appeared : importance),
      });
    }
  }
  return all > 0 ? bankedOptimum(jobs, earned) / all : 0;
}
