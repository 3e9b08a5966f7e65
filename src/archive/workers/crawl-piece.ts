import type { CrawlOptions } from '../../loop/site-crawl.ts';
import type { Crawl } from '../../model/crawl.ts';
import type { CrawlBrief } from '../../model/worker.ts';
import type { AlertJudge } from '../../ports/alert-judge.ts';
import { alertJudge } from '../../stages/judge-alerts.ts';
import { alertId } from '../alerts/alert-id.ts';
import type { CrawlEquipment } from '../crawl/equipment.ts';
import { type RunOptions, runCrawl } from '../crawl/run-crawl.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { runRound } from '../watch/run-round.ts';
import { isAnalysedLater } from './left-analyses.ts';

export interface CrawlPieceOptions
  extends Pick<RunOptions, 'clock' | 'signal' | 'syncEvery' | 'onVisit' | 'onProgress'> {
  readonly equipment: CrawlEquipment;
  readonly piece: Pick<CrawlOptions, 'grace' | 'ranBefore' | 'leases'>;
  /** From the watch that handed the crawl over. */
  readonly brief?: CrawlBrief;
  readonly onNote: (note: string) => void;
}

/**
 * A piece of a crawl as `archive` makes them, or of a round. What a watch handed over is analysed as it comes, since
 * the watch learns from the delta, and rules about deltas are judged with the visit, as in the watch's own process.
 */
export async function crawlPiece(
  archive: OpenArchive,
  crawl: Crawl,
  { brief, ...options }: CrawlPieceOptions,
): Promise<'finished' | 'stopped'> {
  const alerts = brief && judgeOf(brief, archive, options);
  if (crawl.spec.watch) {
    // The watch that handed it over has since forgotten it.
    if (!brief?.scope) return 'finished';
    await archive.catalog.setCrawlState(crawl.id, 'running', options.clock.now());
    const { state } = await runRound(
      archive,
      crawl,
      { scope: brief.scope, visits: [] },
      { ...options, piece: { ...options.piece, teaches: true }, ...(alerts && { alerts }) },
    );
    return state;
  }
  const { state } = await runCrawl(archive, {
    ...options,
    spec: crawl.spec,
    restart: false,
    piece: {
      ...options.piece,
      learns: false,
      ...(brief ? { teaches: true } : { analysesLater: isAnalysedLater(crawl.spec) }),
    },
    ...(alerts && { alerts }),
    onStart: (found) => {
      if (found.id !== crawl.id) throw new Error(`crawl ${crawl.id} was not found by its own key`);
    },
  });
  return state;
}

/** Undefined where there are no rules. */
function judgeOf(
  { rules }: CrawlBrief,
  { catalog, reader }: OpenArchive,
  { clock }: Pick<CrawlPieceOptions, 'clock'>,
): AlertJudge | undefined {
  if (rules.length === 0) return undefined;
  return alertJudge(() => rules, { catalog, reader, idOf: alertId, now: clock.now });
}
