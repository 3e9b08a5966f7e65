/** The clairvoyant optimum of a set of histories: no policy can do better, under either objective. */
import { clairvoyantSchedule, type Job } from '../../science/quality/clairvoyant.ts';
import { bankedOptimum } from '../../science/quality/clairvoyant-banked.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import type { Histories } from './histories.ts';
import { type SimulateOptions, visitsAt } from './simulate.ts';

export function clairvoyantLimit(
  histories: Histories,
  objective: Objective,
  { budget, period = 3600, bank = false }: Pick<SimulateOptions, 'budget' | 'period' | 'bank'>,
): number {
  const { start, end, pages } = histories;
  const ticks = Math.floor((end - start) / period);
  const capacity = Int32Array.from({ length: ticks }, (_, tick) => visitsAt(tick + 1, pages.length, budget));
  const jobs: Job[] = [];
  let all = 0;
  for (const page of pages) {
    let appeared = 0;
    for (const { importance } of page.versions) appeared += importance;
    if (!(appeared > 0)) continue;
    all += objective === 'per-page' ? page.weight : page.weight * appeared;
    page.versions.forEach(({ time, importance }, index) => {
      // Tick k is the moment start + (k + 1)·period; a version is live from its time until just before the next.
      const next = page.versions[index + 1]?.time ?? Infinity;
      const first = Math.max(0, Math.ceil((time - start) / period) - 1);
      const last = Math.min(ticks - 1, Math.ceil((next - start) / period) - 2);
      const weight = page.weight * (objective === 'per-page' ? importance / appeared : importance);
      if (last >= first) jobs.push({ first, last, weight });
    });
  }
  if (!(all > 0)) return 0;
  return (bank ? bankedOptimum(jobs, capacity) : clairvoyantSchedule(jobs, capacity).weight) / all;
}
