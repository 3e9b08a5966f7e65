import type {
  CaptureFact,
  EventDraft,
  ExchangeToStore,
  PayloadDigest,
  PayloadOriginal,
} from '../model/capture.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import type { RecordStore } from '../ports/record-store.ts';

/** Bytes. For smaller payloads a revisit record would be larger than what it saves. */
const SMALLEST_REVISIT = 128;
/** Payloads stored but perhaps not yet committed: the catalog cannot know them. */
const RECENT_PAYLOADS = 50_000;

export interface EventRecorder {
  /** Appends events in the given order; resolves with the facts of each. The only way records are written. */
  record(drafts: readonly EventDraft[]): Promise<readonly (readonly CaptureFact[])[]>;
}

/** Stage: digest → look up an equal payload in the archive → append as response or revisit. */
export function createEventRecorder(
  store: RecordStore,
  catalog: Pick<CaptureCatalog, 'originals'>,
): EventRecorder {
  const recent = new Map<string, PayloadOriginal>();

  function remember(fact: CaptureFact): void {
    const { digest } = fact;
    if (fact.type !== 'response' || fact.truncated || digest.size < SMALLEST_REVISIT) return;
    if (recent.has(digest.sha256)) return;
    if (recent.size >= RECENT_PAYLOADS) {
      const oldest = recent.keys().next();
      if (!oldest.done) recent.delete(oldest.value);
    }
    const { url, at, recordId } = fact;
    recent.set(digest.sha256, { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 });
  }

  async function originalsOf(
    digests: readonly PayloadDigest[],
  ): Promise<ReadonlyMap<string, PayloadOriginal>> {
    const asked = digests
      .filter(({ sha256, size }) => size >= SMALLEST_REVISIT && !recent.has(sha256))
      .map(({ sha256 }) => sha256);
    return asked.length > 0 ? await catalog.originals([...new Set(asked)]) : new Map();
  }

  function toStore(
    draft: EventDraft,
    digests: readonly PayloadDigest[],
    known: ReadonlyMap<string, PayloadOriginal>,
  ) {
    return draft.exchanges.map((exchange, index): ExchangeToStore => {
      const digest = digests[index] as PayloadDigest;
      if (index === 0 && draft.notModified) {
        return { exchange, digest, revisit: { profile: 'server-not-modified', original: draft.notModified } };
      }
      const original = exchange.truncated
        ? undefined
        : (recent.get(digest.sha256) ?? known.get(digest.sha256));
      if (!original) return { exchange, digest };
      return { exchange, digest, revisit: { profile: 'identical-payload-digest', original } };
    });
  }

  /** Events whose payloads differ from each other; the rest wait until these are stored, and refer to them. */
  function nextRound(waiting: readonly Digested[], known: ReadonlyMap<string, PayloadOriginal>) {
    const first = new Set<string>();
    const round: Digested[] = [];
    const rest: Digested[] = [];
    for (const event of waiting) {
      const fresh = event.digests.filter(
        ({ sha256, size }) => size >= SMALLEST_REVISIT && !recent.has(sha256) && !known.has(sha256),
      );
      if (fresh.some(({ sha256 }) => first.has(sha256))) rest.push(event);
      else {
        for (const { sha256 } of fresh) first.add(sha256);
        round.push(event);
      }
    }
    return { round, rest };
  }

  return {
    async record(drafts) {
      let waiting: readonly Digested[] = await Promise.all(
        drafts.map(async (draft) => ({
          draft,
          digests: await Promise.all(draft.exchanges.map(({ response }) => store.digest(response))),
        })),
      );
      const known = await originalsOf(waiting.flatMap(({ digests }) => digests));
      const facts = new Map<EventDraft, readonly CaptureFact[]>();
      while (waiting.length > 0) {
        const { round, rest } = nextRound(waiting, known);
        await Promise.all(
          round.map(async ({ draft, digests }) => {
            const { id, url, at, derived } = draft;
            const stored = await store.append({
              id,
              url,
              at,
              derived,
              exchanges: toStore(draft, digests, known),
            });
            for (const fact of stored) remember(fact);
            facts.set(draft, stored);
          }),
        );
        waiting = rest;
      }
      return drafts.map((draft) => facts.get(draft) ?? []);
    },
  };
}

interface Digested {
  readonly draft: EventDraft;
  /** Of its exchanges, in order. */
  readonly digests: readonly PayloadDigest[];
}
