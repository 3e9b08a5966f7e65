import type { Passage } from '../../model/passage.ts';
import type { Millis } from '../../model/time.ts';

/** A passage that the last version showed. */
export interface LivePassage {
  readonly id: number;
  readonly text: string;
}

export interface VersionPassages {
  readonly at: Millis;
  readonly passages: readonly Passage[];
}

/** A passage and the unbroken run of versions it was in: the first and the last of them, and the first one without it. */
export interface PassageSpan extends Passage {
  readonly cameAt: Millis;
  /** Absent while the last version shows it. */
  readonly went?: Departure;
}

export interface Departure {
  readonly lastAt: Millis;
  readonly goneAt: Millis;
}

export interface FollowedPassages {
  readonly added: readonly PassageSpan[];
  /** Among those that were live before. */
  readonly gone: readonly (Departure & { readonly id: number })[];
}

/**
 * What came and what went in the versions of a page that follow the last known one, oldest first. A passage that stays costs
 * nothing, however many versions show it; one that comes back is a new span.
 */
export function followPassages(
  live: readonly LivePassage[],
  until: Millis | undefined,
  versions: readonly VersionPassages[],
): FollowedPassages {
  type Open = { readonly id: number } | { readonly passage: Passage; readonly cameAt: Millis };
  const open = new Map<string, Open>(live.map(({ id, text }) => [text, { id }]));
  const added: PassageSpan[] = [];
  const gone: (Departure & { id: number })[] = [];
  let lastAt = until;
  for (const { at, passages } of versions) {
    const shown = new Set(passages.map(({ text }) => text));
    for (const [text, span] of open) {
      if (shown.has(text)) continue;
      open.delete(text);
      const went = { lastAt: lastAt ?? at, goneAt: at };
      if ('id' in span) gone.push({ id: span.id, ...went });
      else added.push({ ...span.passage, cameAt: span.cameAt, went });
    }
    for (const passage of passages)
      if (!open.has(passage.text)) open.set(passage.text, { passage, cameAt: at });
    lastAt = at;
  }
  for (const span of open.values())
    if ('passage' in span) added.push({ ...span.passage, cameAt: span.cameAt });
  return { added, gone };
}
