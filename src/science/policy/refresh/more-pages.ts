/** Pages that join, leave or are copied: the arrays of a refresh state, all at once. */
import { newState, type PageKnowledge, type RefreshState } from './state.ts';

type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array;

/** Names of all arrays by page: read from a state of no pages, so that none can be forgotten here. */
function arraysOf(state: object): string[] {
  return Object.entries(state)
    .filter(([, value]) => ArrayBuffer.isView(value))
    .map(([name]) => name);
}

/** Makes room for at least this many pages, half as much again if it has to grow; pages keep their numbers. */
export function withRoom(state: RefreshState, pages: number): RefreshState {
  const capacity = state.alive.length;
  if (pages <= capacity) return state;
  return copied(state, Math.max(pages, Math.ceil(capacity * 1.5)));
}

export function copyState(state: RefreshState): RefreshState {
  return copied(state, state.alive.length);
}

function copied(state: RefreshState, capacity: number): RefreshState {
  const { told } = state;
  return { ...withArrays(state, capacity), ...(told && { told: withArrays(told, capacity) }) };
}

function withArrays<T extends object>(from: T, capacity: number): T {
  const copy = { ...from } as Record<string, unknown>;
  for (const name of arraysOf(from)) {
    const old = copy[name] as Numbers;
    const array = new (old.constructor as new (size: number) => Numbers)(capacity);
    array.set(old);
    copy[name] = array;
  }
  return copy as T;
}

/** Enters a fresh page at this number: the next one, or that of a page that is gone. The state must have room. */
export function putPage(state: RefreshState, page: number, known: PageKnowledge): void {
  if (!(page <= state.size && page < state.alive.length))
    throw new RangeError(`no room for page ${page}: call withRoom before`);
  // Initial values are defined once, in newState.
  const { table, now, objective, horizon, round, pace } = state;
  const fresh = newState([known], { table, now, objective, horizon, round, pace });
  for (const name of arraysOf(fresh)) {
    const array = (state as unknown as Record<string, Numbers>)[name] as Numbers;
    array[page] = ((fresh as unknown as Record<string, Numbers>)[name] as Numbers)[0] as number;
  }
  if (state.told) {
    for (const name of arraysOf(state.told)) {
      (state.told as unknown as Record<string, Numbers>)[name]?.fill(0, page, page + 1);
    }
  }
  state.size = Math.max(state.size, page + 1);
}
