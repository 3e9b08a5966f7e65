import { describe, expect, it } from 'vitest';
import { parseHistory } from '../data/site-history.ts';
import { choices } from './choices.ts';

/** Forty pages that change at random between 8 and 20 h UTC, for thirty days. */
function dayPages(): string {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const rows: string[] = [];
  for (let page = 0; page < 40; page++)
    for (let hour = 0; hour < 720; hour++) {
      const isDay = hour % 24 >= 8 && hour % 24 < 20;
      if (hour === 0 || (isDay && random() < 0.15))
        rows.push(
          `/p${page}.html\t${hour === 0 ? 'A' : 'M'}\t${hour * 3600 + Math.floor(3600 * random())}\t1\t${hour}`,
        );
    }
  return rows.join('\n');
}

describe('lab choices', () => {
  it('pages that rest at night => most likely ahead of closest where neighbours differ', async () => {
    const input = { gaps: [8], folds: 3, moments: 30, timezone: 'UTC', seed: 'x' };
    const outcome = await choices.run({ history: parseHistory(dayPages(), 'x'), ...input });
    if (outcome.kind !== 'measured') throw new Error(outcome.reason);
    const of = (choice: string) => outcome.rows.find((row) => row.choice === choice) ?? {};
    for (const name of ['all', 'differing'] as const)
      expect(Number(of('most likely')[name])).toBeGreaterThan(Number(of('closest')[name]));
    expect(Number(of('closest').all)).toBeGreaterThan(Number(of('before').all));
    expect(outcome.findings.map(({ holds }) => holds)).toEqual(['holds', 'holds']);
    const again = await choices.run({ history: parseHistory(dayPages(), 'x'), ...input });
    expect(again).toEqual(outcome);
  });
});
