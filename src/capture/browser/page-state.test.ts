import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { PageState } from './page-state.ts';

const after = (...events: ('shows' | 'loads' | 'leaves' | 'keptFromLeaving' | 'stops')[]): PageState => {
  const state = new PageState();
  for (const event of events) state[event]();
  return state;
};

describe('a document', () => {
  test.each([
    [[], { is: 'blank' }],
    // The load event of about:blank.
    [['loads'], { is: 'blank' }],
    [['shows'], { is: 'loading' }],
    [['shows', 'loads', 'stops'], { is: 'loaded' }],
    [['shows', 'loads', 'leaves'], { is: 'leaving', from: 'loaded' }],
    [['shows', 'leaves', 'loads'], { is: 'leaving', from: 'loaded' }],
    [['shows', 'loads', 'leaves', 'shows'], { is: 'loading' }],
    [['shows', 'loads', 'leaves', 'stops'], { is: 'loaded' }],
    // Kept from leaving before it had loaded: its load event never comes.
    [['shows', 'leaves', 'keptFromLeaving'], { is: 'interrupted' }],
    [['shows', 'leaves', 'keptFromLeaving', 'stops'], { is: 'loaded' }],
    [['shows', 'loads', 'leaves', 'keptFromLeaving'], { is: 'loaded' }],
  ] as const)('%j => %j', (events, expected) => {
    expect(after(...events).document).toEqual(expected);
  });

  test('any events in any order => a state that is written out; once shown, always shown', () => {
    const random = randomNumbers(7);
    const events = ['shows', 'loads', 'leaves', 'keptFromLeaving', 'stops'] as const;
    for (let run = 0; run < 500; run++) {
      const state = new PageState();
      let shown = false;
      for (let i = 0; i < 30; i++) {
        const event = events[Math.floor(random() * events.length)] ?? 'shows';
        state[event]();
        shown ||= event === 'shows';
        expect(state.isShown).toBe(shown);
        expect(state.isLeaving).toBe(event === 'leaves' || (event === 'loads' && state.isLeaving));
      }
    }
  });
});

describe('what it may do', () => {
  test('open => held => over, and never back', () => {
    const state = new PageState();
    expect([state.isHeld, state.isOver]).toEqual([false, false]);
    state.hold();
    expect([state.isHeld, state.isOver]).toEqual([true, false]);
    state.close();
    expect([state.isHeld, state.isOver]).toEqual([true, true]);
    expect(() => state.hold()).toThrow('a page that is over cannot become held');
    expect(() => state.close()).toThrow('a page that is over cannot become over');
  });

  test('scripts are stopped once', () => {
    const state = new PageState();
    expect([state.stopScripts(), state.stopScripts(), state.areScriptsStopped]).toEqual([true, false, true]);
  });
});

test('whoever waits => woken by the change, and by the end', async () => {
  const state = after('shows');
  const loaded = state.until(({ isLoaded }) => isLoaded, 60_000);
  state.loads();
  await loaded;
  const never = state.until(() => false, 60_000);
  state.close();
  await never;
});
