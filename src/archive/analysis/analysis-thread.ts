import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Filling, PageAnalyser, PageAnalysis, TemplateFiller } from '../../ports/page-analyser.ts';
import type { WorkerAnswer, WorkerRequest, WorkerSetup } from './analysis-worker.ts';

/**
 * Limit for one page, in milliseconds; the largest page of the annotated sets takes less than one second, the largest
 * snapshot (250,000 nodes) eight: see decisions/0017.
 */
const TIME_LIMIT = 60_000;
/** Heap of the thread in MB: a page that needs more ends the thread, not the crawl. */
const HEAP_LIMIT = 2048;

/** Receives what degrades the layouts of all pages. */
type OnNote = (note: string) => void;

interface Waiting {
  readonly request: WorkerRequest;
  resolve(analysis: PageAnalysis | Filling): void;
  reject(error: unknown): void;
}

/** In a thread of its own when the command is built; in this one when it runs from source, as in tests. */
export async function openPageAnalyser(
  setup: WorkerSetup,
  onNote: OnNote = () => {},
  timeLimit = TIME_LIMIT,
): Promise<PageAnalyser & TemplateFiller> {
  const module = fileURLToPath(new URL('./analysis-worker.js', import.meta.url));
  if (!existsSync(module)) {
    // Loaded only when needed: these modules are much of the startup cost.
    const { advertisements } = await import('./advertisements.ts');
    const { parseHtmlTree } = await import('../../capture/html/html-tree.ts');
    const { inProcessAnalyser } = await import('../../stages/analyse-snapshot.ts');
    const { createTemplateFiller } = await import('../../stages/template-layout.ts');
    const { recogniser, note } = advertisements(setup);
    if (note !== undefined) onNote(note);
    const fill = createTemplateFiller(parseHtmlTree, recogniser);
    return { ...inProcessAnalyser(recogniser), fill: async (request) => fill(request) };
  }
  return analysisThread(() => new Worker(module, threadOptions(setup)), timeLimit, onNote);
}

const threadOptions = (workerData: WorkerSetup) => ({
  workerData,
  resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT },
});

/**
 * none ──analyse──▶ starting ──ready──▶ busy ──answer──▶ busy with the next, or idle ──analyse──▶ busy
 *                   busy ──the thread ends, or takes too long──▶ that page fails; a new thread takes the next
 *
 * One request is in the thread at a time: whatever ends the thread was the fault of that one. An idle thread does
 * not keep the process alive.
 */
export function analysisThread(
  start: () => Worker,
  timeLimit: number,
  onNote: OnNote = () => {},
): PageAnalyser & TemplateFiller {
  const queue: Waiting[] = [];
  let thread: { readonly worker: Worker; isReady: boolean } | undefined;
  let busy: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function finish(settle: (waiting: Waiting) => void): void {
    clearTimeout(timer);
    const waiting = busy;
    busy = undefined;
    if (waiting) settle(waiting);
    next();
  }

  function drop(why: unknown): void {
    const ended = thread?.worker;
    thread = undefined;
    void ended?.terminate();
    finish(({ reject }) => reject(why));
  }

  function started(): NonNullable<typeof thread> {
    if (thread) return thread;
    const worker = start();
    const fresh = { worker, isReady: false };
    const ifCurrent = (work: () => void): void => {
      if (thread === fresh) work();
    };
    worker.on('message', (answer: WorkerAnswer) =>
      ifCurrent(() => {
        if (answer.ready) {
          fresh.isReady = true;
          if (answer.note !== undefined) onNote(answer.note);
          if (busy) watch();
          return;
        }
        finish(({ resolve, reject }) => {
          if (answer.ok) resolve(answer.analysis);
          else reject(new Error(answer.message));
        });
      }),
    );
    worker.on('error', (error) => ifCurrent(() => drop(error)));
    worker.on('exit', () => ifCurrent(() => drop(new Error('the analysing thread ended'))));
    thread = fresh;
    return fresh;
  }

  function watch(): void {
    timer = setTimeout(() => drop(new Error(`the page took longer than ${timeLimit} ms`)), timeLimit);
  }

  function next(): void {
    if (busy) return;
    busy = queue.shift();
    if (!busy) {
      thread?.worker.unref();
      return;
    }
    const { worker, isReady } = started();
    worker.ref();
    worker.postMessage(busy.request);
    if (isReady) watch();
  }

  /** The thread answers each request with a result of its kind. */
  function ask<T extends PageAnalysis | Filling>(request: WorkerRequest): Promise<T> {
    return new Promise((resolve, reject) => {
      if (closed) throw new Error('the analysing thread is closed');
      queue.push({ request, resolve: (answer) => resolve(answer as T), reject });
      next();
    });
  }

  return {
    analyse: (request) => ask<PageAnalysis>(request),
    fill: (request) => ask<Filling>(request),
    async close() {
      closed = true;
      const error = new Error('the analysing thread is closed');
      for (const { reject } of queue.splice(0)) reject(error);
      const last = thread?.worker;
      drop(error);
      await last?.terminate();
    },
  };
}
