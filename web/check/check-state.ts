import { api, type CheckStateAnswer, type WantedCheck } from '../api.ts';

/** What the server is checking, for all who ask: one question at a time, and only while a check runs. */
type Hear = (state: CheckStateAnswer) => void;

const hearers = new Set<Hear>();
let state: CheckStateAnswer = {};
let timer: ReturnType<typeof setTimeout> | undefined;
/** Milliseconds between two looks while a check runs. */
const EVERY = 1500;

function tell(next: CheckStateAnswer): void {
  state = next;
  clearTimeout(timer);
  timer = state.running && hearers.size > 0 ? setTimeout(() => void look(), EVERY) : undefined;
  for (const hear of hearers) hear(state);
}

async function look(): Promise<void> {
  // A server that does not answer is asked again: the check goes on without it.
  const next = await api.checkState().catch(() => state);
  if (hearers.size > 0) tell(next);
}

/** Hears how checks go until the answer is called. */
export function onChecks(hear: Hear): () => void {
  if (hearers.size === 0) void look();
  else hear(state);
  hearers.add(hear);
  return () => {
    hearers.delete(hear);
    if (hearers.size > 0) return;
    clearTimeout(timer);
    state = {};
  };
}

export async function beginCheck(wanted: WantedCheck): Promise<void> {
  tell({ ...state, running: await api.startCheck(wanted) });
}
