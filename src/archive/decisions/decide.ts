import { actWords, type Decision, isSameMatter } from '../../model/decision.ts';
import { mayTouch } from '../../model/decision-target.ts';
import type { Millis } from '../../model/time.ts';
import { decisionTarget } from '../given/decision-target.ts';
import { type ArchiveLocation, openForReading } from '../open/open-archive.ts';
import { briefly } from '../short-wait.ts';
import { systemClock } from '../system-clock.ts';
import { writeOrAsk } from '../writer/write-or-ask.ts';
import type { DecisionDraft } from './decision-schema.ts';

/** Writes decisions down; where another process writes to the archive, that process does so, and heeds them at once. */
export async function decide(location: ArchiveLocation, draft: DecisionDraft): Promise<readonly Decision[]> {
  const { decisions } = await writeOrAsk(briefly(location), {
    ask: 'decide',
    input: () => draft,
    write: async (archive) => ({ decisions: await (await archive.decisions()).add(draft) }),
  });
  return decisions;
}

export type DecisionOfList = Decision & {
  /** Its current state. */
  readonly state: 'holds' | 'ended' | 'undone';
  /** The decision that undid it. */
  readonly undoneBy?: string;
};

/** A decision just made, with those still in force that say something different about the same URLs. */
export type MadeDecision = Decision & { readonly overrules: readonly Decision[] };

export async function decideAndTell(
  location: ArchiveLocation,
  draft: DecisionDraft,
): Promise<readonly MadeDecision[]> {
  const made = await decide(location, draft);
  const held = (await listDecisions(location)).filter(({ id }) => made.every((one) => one.id !== id));
  return made.map((one) => ({ ...one, overrules: overruledBy(one, held) }));
}

function overruledBy(made: Decision, before: readonly DecisionOfList[]): readonly Decision[] {
  const { act, target, at, id } = made;
  // A repeated decision overrules what was decided since it was first made.
  const said = before.findLast(
    (one) => one.state === 'holds' && one.target === target && actWords(one.act) === actWords(act),
  );
  const found = before.filter((one) => {
    if (one.act.kind === 'undo' || one.at >= at) return false;
    if (act.kind === 'undo') return one.undoneBy === id;
    return (
      one.state === 'holds' &&
      one.at > (said?.at ?? Number.NEGATIVE_INFINITY) &&
      isSameMatter(one.act, act) &&
      actWords(one.act) !== actWords(act) &&
      mayTouch(one.target, target)
    );
  });
  return found.map(({ state: _, undoneBy: __, ...decision }) => decision);
}

/** Every decision of an archive that touches one of the targets, or every one without targets; oldest first. */
export async function listDecisions(
  location: ArchiveLocation,
  targets: readonly string[] = [],
): Promise<readonly DecisionOfList[]> {
  const asked = targets.map(decisionTarget);
  const archive = await openForReading(location);
  try {
    return listedDecisions((await archive.decisions()).made, systemClock.now(), asked);
  } finally {
    await archive.close();
  }
}

/** Those that touch one of the targets, or all, with their state. */
export function listedDecisions(
  made: readonly Decision[],
  now: Millis,
  targets: readonly string[] = [],
): DecisionOfList[] {
  const shown = made.filter(
    ({ target }) => targets.length === 0 || targets.some((one) => mayTouch(one, target)),
  );
  return shown.map((decision): DecisionOfList => {
    const undo = made.find(
      ({ act, target, at }) => act.kind === 'undo' && target === decision.target && at > decision.at,
    );
    if (undo) return { ...decision, state: 'undone', undoneBy: undo.id };
    return { ...decision, state: (decision.until ?? Number.POSITIVE_INFINITY) > now ? 'holds' : 'ended' };
  });
}

/** For the screen of a writer. */
export const draftWords = ({ targets, act, by, why }: DecisionDraft): string =>
  `${by} decides ${targets.length === 1 ? targets[0] : `${targets.length} targets`}: ${actWords(act)} (${why})`;
