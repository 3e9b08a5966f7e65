import { actWords, type Decision } from '../../model/decision.ts';
import { ArchiveLocked } from '../../storage/archive-lock.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  openForReading,
  openForWriting,
} from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { askWriter, WRITER_PATIENCE } from '../writer/ask-writer.ts';
import type { DecisionDraft } from './decision-schema.ts';

/** Writes decisions down; where another process writes to the archive, that one does, and heeds them at once. */
export async function decide(location: ArchiveLocation, draft: DecisionDraft): Promise<readonly Decision[]> {
  const until = systemClock.now() + WRITER_PATIENCE;
  for (;;) {
    const archive = await openUnlessLocked(location);
    if (!(archive instanceof ArchiveLocked)) {
      try {
        return await (await archive.decisions()).add(draft);
      } finally {
        await archive.close();
      }
    }
    const answer = await askWriter(location, 'decide', draft);
    if (answer) return answer.decisions;
    if (systemClock.now() >= until) throw archive;
    await systemClock.sleep(100);
  }
}

async function openUnlessLocked(location: ArchiveLocation): Promise<OpenArchive | ArchiveLocked> {
  try {
    return await openForWriting(location, 'decide');
  } catch (error) {
    if (error instanceof ArchiveLocked) return error;
    throw error;
  }
}

export type ListedDecision = Decision & {
  /** What has become of it. */
  readonly state: 'holds' | 'ended' | 'undone';
  /** The decision that undid it. */
  readonly undoneBy?: string;
};

/** Every decision of an archive, oldest first. */
export async function listDecisions(location: ArchiveLocation): Promise<readonly ListedDecision[]> {
  const archive = await openForReading(location);
  try {
    const { made } = await archive.decisions();
    const now = systemClock.now();
    return made.map((decision): ListedDecision => {
      const undo = made.find(
        ({ act, target, at }) => act.kind === 'undo' && target === decision.target && at > decision.at,
      );
      if (undo) return { ...decision, state: 'undone', undoneBy: undo.id };
      return { ...decision, state: (decision.until ?? Number.POSITIVE_INFINITY) > now ? 'holds' : 'ended' };
    });
  } finally {
    await archive.close();
  }
}

/** For the screen of a writer. */
export const draftWords = ({ targets, act, by, why }: DecisionDraft): string =>
  `${by} decides ${targets.length === 1 ? targets[0] : `${targets.length} targets`}: ${actWords(act)} (${why})`;
