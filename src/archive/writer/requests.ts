import { z } from 'zod';
import { draftWords } from '../decisions/decide.ts';
import { DECISION_DRAFT } from '../decisions/decision-schema.ts';
import { importInto } from '../import/import-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';

/** What the writer does a request with. */
export interface WriterWork {
  readonly archive: OpenArchive;
  onProgress(file: string, done: number, size: number): void;
  /** The writer is told to stop. */
  readonly signal: AbortSignal;
  /** The asker left. */
  readonly gone: AbortSignal;
  /** Ends what the writer does of its own, as Ctrl-C would; absent where that has no clean end. */
  readonly stop: (() => void) | undefined;
}

interface WriterRequest<Input, Result> {
  readonly input: z.ZodType<Input>;
  /** Done beside what is being done; the others wait for their turn. */
  readonly isUrgent?: true;
  /** May be asked through the web page: it names nothing on this machine. */
  readonly isForWeb?: true;
  /** For the screen of the writer. */
  readonly sentence: (input: Input) => string;
  readonly run: (input: Input, work: WriterWork) => Promise<Result>;
}

const request = <Input, Result>(one: WriterRequest<Input, Result>): WriterRequest<Input, Result> => one;

/** All that the writer of an archive can be asked for, by processes that would have to wait for its lock otherwise: decisions/0022. */
export const REQUESTS = {
  import: request({
    /** Absolute. */
    input: z.object({ paths: z.array(z.string()).readonly() }),
    sentence: ({ paths }) => `Importing ${paths.length === 1 ? paths[0] : `${paths.length} files`}`,
    run: ({ paths }, { archive, ...work }) => importInto(archive, paths, work),
  }),
  decide: request({
    input: DECISION_DRAFT,
    // A crawl that is told to leave something out must not wait for an import.
    isUrgent: true,
    isForWeb: true,
    sentence: draftWords,
    run: async (draft, { archive }) => ({ decisions: await (await archive.decisions()).add(draft) }),
  }),
  stop: request({
    input: z.object({}),
    isUrgent: true,
    isForWeb: true,
    sentence: () => 'Stopping',
    run: async (_, { stop }) => {
      if (!stop) throw new UserError('what writes to the archive cannot be stopped: wait until it ends');
      stop();
      return { stopping: process.pid };
    },
  }),
};

export type RequestName = keyof typeof REQUESTS;
export type InputOf<Name extends RequestName> = z.input<(typeof REQUESTS)[Name]['input']>;
export type ResultOf<Name extends RequestName> = Awaited<ReturnType<(typeof REQUESTS)[Name]['run']>>;

export const isRequest = (name: unknown): name is RequestName =>
  typeof name === 'string' && Object.hasOwn(REQUESTS, name);
