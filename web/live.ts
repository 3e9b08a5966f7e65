import type { ApiEvents } from '../src/server/api-types.ts';

/** Events of the server (SSE). One connection for the page, opened by the first who listens and closed after the last. */
type Hearers = { readonly [Name in keyof ApiEvents]?: (data: ApiEvents[Name]) => void };
type Heard = (data: unknown) => void;

const listeners = new Map<string, Set<Heard>>();
let source: EventSource | undefined;

function passOn(event: MessageEvent<string>): void {
  const data: unknown = JSON.parse(event.data);
  for (const hear of listeners.get(event.type) ?? []) hear(data);
}

/** Hears events until the answer is called. Browsers connect again by themselves, from where they were. */
export function live(hearers: Hearers): () => void {
  source ??= new EventSource('/api/events');
  const all = Object.entries(hearers) as [string, Heard][];
  for (const [name, hear] of all) {
    const held = listeners.get(name) ?? new Set();
    if (held.size === 0) source.addEventListener(name, passOn);
    listeners.set(name, held.add(hear));
  }
  return () => {
    for (const [name, hear] of all) {
      const held = listeners.get(name);
      held?.delete(hear);
      if (held?.size !== 0) continue;
      listeners.delete(name);
      source?.removeEventListener(name, passOn);
    }
    if (listeners.size > 0) return;
    source?.close();
    source = undefined;
  };
}
