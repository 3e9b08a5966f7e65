import { parentPort, workerData } from 'node:worker_threads';
import { parseHtmlTree } from '../../capture/html/html-tree.ts';
import type { AnalysisRequest, Filling, FillRequest, PageAnalysis } from '../../ports/page-analyser.ts';
import { KeptLayouts } from '../../science/layout/kept-layouts.ts';
import { analyseSnapshot } from '../../stages/analyse-snapshot.ts';
import { createTemplateFiller } from '../../stages/template-layout.ts';
import { advertisements } from './advertisements.ts';

/** What the thread gets when it starts. */
export interface WorkerSetup {
  /** Where the compiled filter lists are kept. */
  readonly cacheFolder: string;
}

export type WorkerRequest = AnalysisRequest | FillRequest;

export type WorkerAnswer =
  /** Sent once, before any other answer; `note` says what degrades the layouts it makes. */
  | { readonly ready: true; readonly note?: string }
  | { readonly ready?: never; readonly ok: true; readonly analysis: PageAnalysis | Filling }
  | { readonly ready?: never; readonly ok: false; readonly message: string };

/** The thread in which pages are analysed: one request at a time, in order of arrival. */
const { recogniser, note } = advertisements(workerData as WorkerSetup);
const layouts = new KeptLayouts();
const fill = createTemplateFiller(parseHtmlTree, recogniser, layouts);

// Compiling the lists, once per machine, takes seconds that must not count against a page.
parentPort?.postMessage({ ready: true, ...(note !== undefined && { note }) } satisfies WorkerAnswer);
parentPort?.on('message', (request: WorkerRequest) => {
  parentPort?.postMessage(answer(request));
});

function answer(request: WorkerRequest): WorkerAnswer {
  try {
    return {
      ok: true,
      analysis: 'kind' in request ? fill(request) : analyseSnapshot(request, recogniser, layouts),
    };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
