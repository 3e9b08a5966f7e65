import { randomUUID } from 'node:crypto';
import type { CaptureFact } from '../../model/capture.ts';
import { DECISION, type Decision } from '../../model/decision.ts';
import { Decisions } from '../../model/decisions.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import { decisionTarget } from '../given/decision-target.ts';
import { openJournal, writeDown, writtenDown } from '../journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { type DecisionDraft, decisionFrom, STORED_DECISION } from './decision-schema.ts';
import { decisionStamp } from './decision-stamp.ts';

/** What people have decided, with the records that hold it. */
export interface DecisionBook {
  /** Decisions in force. `add` changes this in place, so read it each time. */
  readonly held: Decisions;
  /** All that were ever made, oldest first. */
  readonly made: readonly Decision[];
  /** Records that cannot be understood. */
  readonly problems: readonly ProblemPlace[];
  /** Writes decisions down; they are in force when it resolves. Throws UserError for invalid targets. */
  add(draft: DecisionDraft): Promise<readonly Decision[]>;
  /** Called with each decision that is added. */
  readonly listeners: Set<(decisions: readonly Decision[]) => void>;
}

type BookArchive = Pick<OpenArchive, 'folder' | 'catalog' | 'reader'>;

/** Reads the journal of decisions. Imported records do not decide anything: isJournal. */
export async function openDecisionBook(
  archive: BookArchive,
  reading: { readonly withoutGone?: boolean } = {},
): Promise<DecisionBook> {
  const found: { readonly decision: Decision; readonly capture: CaptureFact }[] = [];
  const problems: ProblemPlace[] = [];
  for await (const { capture, ...told } of writtenDown(archive, DECISION, STORED_DECISION, reading)) {
    if ('fact' in told) found.push({ decision: decisionFrom(told.fact), capture });
    else {
      const { file, offset, url } = capture;
      problems.push({ file, offset, reason: `${url} cannot be understood: ${told.problem}` });
    }
  }
  const made = found
    .sort(
      (a, b) =>
        a.decision.at - b.decision.at ||
        (a.capture.file < b.capture.file ? -1 : Number(a.capture.file > b.capture.file)) ||
        a.capture.offset - b.capture.offset,
    )
    .map(({ decision }) => decision);
  const held = new Decisions(made);
  const book: DecisionBook = {
    held,
    made,
    problems,
    async add(draft) {
      refuseUnseen(draft, made);
      const decisions = decisionsOf(draft, held, made.at(-1)?.at ?? 0);
      await write(archive, decisions);
      for (const decision of decisions) {
        made.push(decision);
        held.add(decision);
      }
      for (const listener of book.listeners) listener(decisions);
      return decisions;
    },
    listeners: new Set(),
  };
  return book;
}

/** Two people at once: the second is told so, and looks again. */
function refuseUnseen({ targets, seen }: DecisionDraft, made: readonly Decision[]): void {
  if (seen === undefined || seen === decisionStamp(made, targets.map(decisionTarget))) return;
  throw new UserError(`somebody has decided about ${targets.join(', ')} since you looked`, 'conflict');
}

function decisionsOf(
  { targets, seen: _, ...draft }: DecisionDraft,
  held: Decisions,
  lastAt: number,
): Decision[] {
  const now = systemClock.now();
  // Time tells which of two is later: with a clock that was set back, the newer one must not become the
  // older.
  const at = Math.max(now, lastAt + 1);
  if (draft.until !== undefined && draft.until <= now)
    throw new UserError(`--until ${new Date(draft.until).toISOString()} is over already`);
  if (draft.until !== undefined && draft.act.kind === 'undo')
    throw new UserError('--undo has no --until: decide again to have it back');
  return [...new Set(targets.map(decisionTarget))].map((target) => {
    if (draft.act.kind === 'undo' && held.of(target, now).length === 0)
      throw new UserError(
        `nothing is decided about ${target}, or holds no more: 'daguerre decide --list' shows what does`,
      );
    const { until, ...rest } = draft;
    return { id: randomUUID(), target, ...rest, at, ...(until !== undefined && { until }) };
  });
}

/** On disk and in the catalog when it resolves. */
async function write({ folder, catalog }: BookArchive, decisions: readonly Decision[]): Promise<void> {
  const store = await openJournal(folder, 'decision');
  try {
    const captures: CaptureFact[] = [];
    for (const decision of decisions)
      captures.push(...(await writeDown(store, `${DECISION}${decision.id}`, decision)));
    await store.sync();
    await catalog.index({ captures, pages: [], fileLengths: store.lengths() });
  } finally {
    await store.close();
  }
}
