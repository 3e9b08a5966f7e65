import { describe, expect, it } from 'vitest';
import { slotPlan } from '../../patterns/slots.ts';
import { expectedGain, marginalScores } from './expected-gain.ts';
import { copyState, putPage, withRoom } from './more-pages.ts';
import { flatRow, patternTable } from './pattern-table.ts';
import { AVAILABILITY, advance, newState, observe, type RefreshState } from './state.ts';
import { changesUntil, hear, tell, toldPages } from './told-pages.ts';

const table = patternTable([flatRow(slotPlan('daily'))]);
const pages = (rates: readonly number[]): RefreshState =>
  newState(
    rates.map((rate) => ({ rate, evidence: 10 })),
    { table, now: 0 },
  );

describe('what signals say of a page', () => {
  it('room for signals, but none heard => every score bit for bit as without', () => {
    const [plain, told] = [pages([0.1, 0.5, 2]), pages([0.1, 0.5, 2])];
    told.told = toldPages(3);
    for (let hour = 1; hour <= 50; hour++) {
      for (const state of [plain, told]) {
        advance(state, hour * 3600);
        observe(
          state,
          hour % 3,
          hour % 4 === 0 ? { kind: 'changed', importance: 0.3 } : { kind: 'unchanged' },
        );
      }
      const scores = [plain, told].map((state) => {
        const list = new Float32Array(3);
        marginalScores(state, state.now, list);
        return [...list];
      });
      expect(scores[1]).toEqual(scores[0]);
    }
  });

  it('recall 0.8, silent for 5 hours at 0.2 an hour => a fifth of the changes is expected', () => {
    const state = pages([0.2]);
    state.told = toldPages(1);
    state.told.recall[0] = 0.8;
    advance(state, 5 * 3600);
    expect(state.expected[0]).toBeCloseTo(1, 5);
    hear(state, 0);
    expect(state.expected[0]).toBeCloseTo(0.2, 5);
    expect(state.gain[0]).toBeCloseTo(1 - Math.exp(-0.2), 5);
    // Since then nothing is known beyond the rate.
    advance(state, 10 * 3600);
    expect(state.expected[0]).toBeCloseTo(1.2, 5);
  });

  it('told of a change three times the mean, right in 9 of 10 => worth 2.7 at least', () => {
    const state = pages([0.2]);
    state.told = toldPages(1);
    hear(state, 0);
    tell(state, 0, 0.9, 3);
    expect(state.gain[0]).toBeCloseTo(2.7, 5);
    expect(state.survival[0]).toBeCloseTo(0.1, 5);
  });

  it.each([
    [0.7, 0, 0.5],
    [2, 0.5, 0.9],
    [1, 0.9, 0.4],
    [3, 0.3, 0.2],
  ])(
    'changes until doubt is %d again at recall %d, precision %d => as simulated',
    (doubt, recall, precision) => {
      // Draws of a linear congruential generator: the same on every machine.
      let seed = 12_345;
      const random = (): number => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        return (seed + 0.5) / 4_294_967_296;
      };
      const runs = 20_000;
      const step = -Math.log1p(-precision);
      const pace = recall / precision;
      let total = 0;
      for (let run = 0; run < runs; run++) {
        let time = 0;
        let at = 0;
        for (;;) {
          const wait = pace > 0 ? -Math.log(random()) / pace : Infinity;
          const alone = (doubt - at) / (1 - recall);
          if (alone <= wait) {
            time += alone;
            break;
          }
          time += wait;
          at += wait * (1 - recall) + step;
          if (at >= doubt) break;
        }
        total += time;
      }
      expect(changesUntil(doubt, recall, precision)).toBeCloseTo(total / runs, 1);
    },
  );
});

describe('pages that join', () => {
  it('a state with room => the old pages as they were, the new one as it begins, a copy of its own', () => {
    const state = withRoom(pages([0.1, 0.5]), 5);
    advance(state, 3600);
    putPage(state, 2, { rate: 0.3, weight: 0.5 });
    expect(state.size).toBe(3);
    expect(state.rate[2]).toBeCloseTo(0.3, 6);
    expect(state.alive[2]).toBe(AVAILABILITY.open);
    const copy = copyState(state);
    observe(copy, 0, { kind: 'unchanged' });
    expect(state.lastVisit[0]).toBe(0);
    expect(expectedGain().rank(state, 3600, 3).pages).toHaveLength(3);
    expect(() => putPage(state, 9, {})).toThrow('no room');
  });
});
