import { z } from 'zod';
import { ANALYSIS_INPUT, analyseInto } from '../analyse/analyse-archive.ts';
import { CHECK_INPUT, checkInto } from '../check/check-archive.ts';
import { draftWords } from '../decisions/decide.ts';
import { DECISION_DRAFT } from '../decisions/decision-schema.ts';
import { importInto } from '../import/import-files.ts';
import { decideMirrors } from '../mirrors/mirrors.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { lookAtTabs } from './look-at-tabs.ts';

/** What a request has to work with. */
export interface WriterWork {
  readonly archive: OpenArchive;
  onProgress(file: string, done: number, size: number): void;
  /** Aborted when the writer is told to stop. */
  readonly signal: AbortSignal;
  /** Aborted when the asker leaves. */
  readonly gone: AbortSignal;
  /** Ends the writer's own work, as Ctrl-C would; absent where that has no clean end. */
  readonly stop: (() => void) | undefined;
  /**
   * Tells a watch that a page may have changed; false where the watch does not cover it. Absent where nothing is
   * watched.
   */
  readonly ping: ((url: string, source: string) => boolean) | undefined;
}

interface WriterRequest<Input, Result> {
  readonly input: z.ZodType<Input>;
  /** Done concurrently with what is being done; other requests wait for their turn. */
  readonly isUrgent?: true;
  /** Not worth a line on the screen. */
  readonly isQuiet?: true;
  /** May be requested through the web page: it names nothing on this machine. */
  readonly isForWeb?: true;
  /** For the writer's screen. */
  readonly sentence: (input: Input) => string;
  readonly run: (input: Input, work: WriterWork) => Promise<Result>;
}

const request = <Input, Result>(one: WriterRequest<Input, Result>): WriterRequest<Input, Result> => one;

export const NO_WATCH =
  "nothing watches the archive now: begin with 'daguerre watch --config …', which visits pages that are pinged";

/**
 * Everything that the writer of an archive can be asked to do, by processes that would otherwise have to wait for its
 * lock: decisions/0022.
 */
export const REQUESTS = {
  import: request({
    /** Absolute paths. */
    input: z.object({ paths: z.array(z.string()).readonly() }),
    sentence: ({ paths }) => `Importing ${paths.length === 1 ? paths[0] : `${paths.length} files`}`,
    run: ({ paths }, { archive, ...work }) => importInto(archive, paths, work),
  }),
  analyse: request({
    input: ANALYSIS_INPUT,
    sentence: () => 'Analysing stored captures',
    run: (input, { archive, ...work }) => analyseInto(archive, input, work),
  }),
  check: request({
    input: CHECK_INPUT,
    sentence: () => 'Checking stored captures',
    run: (input, { archive, ...work }) => checkInto(archive, input, work),
  }),
  decide: request({
    input: DECISION_DRAFT,
    // Telling a crawl to leave something out must not wait for an import.
    isUrgent: true,
    isForWeb: true,
    sentence: draftWords,
    run: async (draft, { archive }) => ({ decisions: await (await archive.decisions()).add(draft) }),
  }),
  mirrors: request({
    input: z.object({
      keep: z.boolean(),
      confirm: z.array(z.string()).readonly(),
      reject: z.array(z.string()).readonly(),
    }),
    sentence: () => 'Looking for mirrors',
    run: (options, { archive }) => decideMirrors(archive, options),
  }),
  ping: request({
    input: z.object({
      urls: z.array(z.string().max(4000)).min(1).max(1000).readonly(),
      by: z.string().max(200).default('somebody'),
    }),
    isUrgent: true,
    isForWeb: true,
    sentence: ({ urls, by }) =>
      `${by} says that ${urls.length === 1 ? urls[0] : `${urls.length} pages`} may have changed`,
    run: async ({ urls, by }, { ping }) => {
      if (!ping) throw new UserError(NO_WATCH);
      const heard = urls.filter((url) => ping(url, by));
      return { heard, unwatched: urls.filter((url) => !heard.includes(url)) };
    },
  }),
  watching: request({
    input: z.object({}),
    isUrgent: true,
    // The web page wants to know before it offers a visit.
    isQuiet: true,
    sentence: () => 'Saying whether it watches',
    run: async (_, { ping }) => ({ watching: ping !== undefined }),
  }),
  look: request({
    input: z.object({
      /** URL of the visit; by default the first there is. */
      url: z.string().max(8192).optional(),
      picture: z.boolean().default(false),
    }),
    isUrgent: true,
    // A person who is watching asks every second.
    isQuiet: true,
    sentence: () => 'Looking at a tab',
    run: ({ url, picture }) => lookAtTabs(url, picture),
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
