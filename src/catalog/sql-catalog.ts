import { setImmediate as turn } from 'node:timers/promises';
import type { Catalog } from '../ports/catalog.ts';
import type { ImportanceLedger } from '../ports/importance-ledger.ts';
import {
  addAlerts,
  addMessage,
  alerts,
  deliveries,
  messages,
  outboxCounts,
  setDelivery,
  waitingRules,
} from './alerts.ts';
import type { Engine } from './engines/engine.ts';
import { claim, mayWrite, ownerOf } from './owner.ts';
import { accessedPages, historySites } from './reading/accessed-pages.ts';
import { answeredVisits, unplannedRevisits } from './reading/answered-visits.ts';
import { listCaptures } from './reading/capture-list.ts';
import {
  captureByRecordId,
  closest,
  neighbours,
  originalOf,
  originals,
  validators,
} from './reading/capture-lookup.ts';
import { changes } from './reading/change-queries.ts';
import { countedTimes } from './reading/counted-times.ts';
import {
  changeCrawl,
  crawl,
  crawls,
  createCrawl,
  hasCrawl,
  openCrawl,
  unfinishedCrawl,
} from './reading/crawl-queries.ts';
import { tallies, tally } from './reading/crawl-tally.ts';
import { filedRecords } from './reading/filed-records.ts';
import { frontierLog } from './reading/frontier-log.ts';
import { frontierUrls, hostCounts, pending, skipPending } from './reading/frontier-queries.ts';
import { finishedVisits, happeningMark, happenings, stateMark } from './reading/happenings.ts';
import { knownPages, pageHistories, pagesOfLastCrawl } from './reading/history-queries.ts';
import { bookFigures, bookPages, importances } from './reading/importance-queries.ts';
import { importedHistory, importedPages } from './reading/imported-history.ts';
import { indexLines, indexSize } from './reading/index-lines.ts';
import {
  inferences,
  inferredDirectories,
  keptVersions,
  virtualDirectories,
} from './reading/inference-queries.ts';
import { latestCaptures } from './reading/latest-captures.ts';
import { linkRows, pageNumbers, readPages, redirects, urlsOfPages } from './reading/link-graph-queries.ts';
import { pageCourse } from './reading/page-course.ts';
import { links, pages, sites } from './reading/page-queries.ts';
import { learntSite, pagePatterns, patternGroups } from './reading/pattern-queries.ts';
import { linksFrom, perimeterCounts, perimeters, perimeterUrls } from './reading/perimeter-queries.ts';
import { settledVisits } from './reading/settled-visits.ts';
import { captureMark, pageStandings, seenPages, sightings } from './reading/sighting-queries.ts';
import { skipRules, skips } from './reading/skip-queries.ts';
import { privatePages, storedVersions } from './reading/stored-versions.ts';
import { versions } from './reading/version-queries.ts';
import { visits } from './reading/visit-list.ts';
import { confirmPageWords, pageWords, setPageWords, uncountedPages } from './words.ts';
import { addAsked, answerAsked, askedAnswer, forgetAsked, takeAsked } from './workers/asked.ts';
import { brief, changeHanded, forgetHanded, handedCrawls, handOver } from './workers/handed-crawls.ts';
import { leaseHosts, notePauses, returnHosts } from './workers/host-leases.ts';
import { keepWatch, keptWatch, takeTick, tickHolder, whileAlone } from './workers/tick.ts';
import { unlearntPages, unlearntVisits } from './workers/unlearnt-visits.ts';
import { settleWaiting, waitingPages, waitingSites } from './workers/waiting-analyses.ts';
import { dismissWorkers, giveSign, joinWorkers, workers } from './workers/workers.ts';
import { commit, index, inPassing } from './writing/commit.ts';
import { forgetPatterns, learnPages, settlePatterns } from './writing/commit-patterns.ts';
import { crawlNotes } from './writing/crawl-notes.ts';
import { setCrawlState } from './writing/crawl-state.ts';
import { replaceBook } from './writing/importance-book.ts';
import {
  addReplaced,
  filesAsTold,
  forgetReplaced,
  mergeFiles,
  replacedFiles,
} from './writing/merge-files.ts';
import { clearNames, namesOf } from './writing/names.ts';
import { beginRebuild, endRebuild, isRebuilding } from './writing/rebuild-mark.ts';
import {
  clearDerived,
  filesToIndex,
  forgetTail,
  giveUpTail,
  lostFiles,
  recordsIn,
  warcFiles,
} from './writing/recovery.ts';
import { setSiteRules } from './writing/relabel-sites.ts';
import { beginRestoring } from './writing/restore-crawl.ts';
import { settleBook, settleNews } from './writing/settle-book.ts';
import { swapFile } from './writing/swap-file.ts';

/**
 * Rows handed out before other work has its turn: SQLite answers within one turn of the event loop, so that a long listing
 * would keep sockets and signals waiting to its end.
 */
const ROWS_PER_TURN = 500;

/** Queries over one connection. */
const QUERIES = {
  owner: ownerOf,
  ...{
    unfinishedCrawl,
    hasCrawl,
    crawls,
    crawl,
    changeCrawl,
    visits,
    skips,
    skipRules,
    notes: crawlNotes,
  },
  ...{ pending, hostCounts, frontierUrls, frontierLog, unplannedRevisits },
  ...{ inferences, inferredDirectories, keptVersions, virtualDirectories },
  ...{ perimeterUrls, perimeterCounts, perimeters, linksFrom },
  ...{ pageHistories, pagesOfLastCrawl, sites, pages, links, changes, pageCourse },
  ...{ uncountedPages, pageWords },
  ...{ linkRows, readPages, redirects, pageNumbers, urlsOfPages },
  ...{ captures: listCaptures, latestCaptures, closest, neighbours, originalOf },
  ...{ captureByRecordId, indexLines, indexSize, countedTimes },
  ...{ captureMark, seenPages, sightings, pageStandings, versions, learntSite, patternGroups },
  ...{ historySites, importedPages, importedHistory, storedVersions, privatePages },
  ...{ happenings, happeningMark, finishedVisits },
  ...{ alerts, waitingRules, messages, deliveries, outboxCounts },
  ...{ warcFiles, recordsIn, filesToIndex, lostFiles, filedRecords, filesAsTold, replacedFiles },
  ...{ workers, handedCrawls, waitingPages, waitingSites, tickHolder, keptWatch, askedAnswer },
  ...{ brief, unlearntVisits, unlearntPages },
};

/** What takes a kept statement, or a transaction of its own. */
const WORK = {
  ...{ setPageWords, confirmPageWords },
  ...{ claim, mayWrite, createCrawl, openCrawl, skipPending, answeredVisits, originals },
  ...{ tally, tallies, settledVisits, knownPages, accessedPages },
  ...{ pagePatterns, learnPages, forgetPatterns, settlePatterns },
  ...{ addAlerts, addMessage, setDelivery, stateMark },
  ...{ clearDerived, beginRebuild, endRebuild, isRebuilding, addReplaced, forgetReplaced },
  ...{ joinWorkers, giveSign, dismissWorkers, leaseHosts, notePauses, returnHosts },
  ...{ handOver, changeHanded, forgetHanded },
  ...{ settleWaiting, takeTick, whileAlone, keepWatch, addAsked, takeAsked, answerAsked, forgetAsked },
};

/** What on-line importance has a part in. */
const BOOK_WORK = {
  replaceBook,
  setCrawlState,
  settleBook,
  settleNews,
  forgetTail,
  giveUpTail,
  bookFigures,
  bookPages,
  importances,
};

type Over<First> = Readonly<Record<string, (first: First, ...rest: never[]) => Answer>>;
type Answer = Promise<unknown> | AsyncIterable<unknown>;
type Bound<Functions> = {
  readonly [name in keyof Functions]: Functions[name] extends (
    first: never,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** The catalog over an engine: SQLite and PostgreSQL differ below it, never in it. */
export function sqlCatalog(engine: Engine, ledger?: ImportanceLedger): Catalog {
  const names = namesOf(engine, ledger);

  async function explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw engine.explain(error);
    }
  }

  async function* explainedEach<T>(items: AsyncIterable<T>): AsyncIterable<T> {
    try {
      let left = ROWS_PER_TURN;
      for await (const item of items) {
        yield item;
        if (--left > 0) continue;
        left = ROWS_PER_TURN;
        await turn();
      }
    } catch (error) {
      throw engine.explain(error);
    }
  }

  function bound<First, Functions extends Over<First>>(first: First, functions: Functions): Bound<Functions> {
    const made = Object.entries(functions).map(([name, work]) => [
      name,
      (...rest: never[]): Answer => {
        const answer = work(first, ...rest);
        return 'then' in answer ? explained(answer) : explainedEach(answer);
      },
    ]);
    return Object.fromEntries(made) as Bound<Functions>;
  }

  return {
    ...bound(engine.db, QUERIES),
    ...bound(engine, WORK),
    ...bound(names.keeping, BOOK_WORK),
    // A page that was found a moment ago has no capture to ask for: on SQLite this process is the only one that writes.
    validators: (url, secrecy) =>
      engine.dialect === 'sqlite' && names.urls.isUncaptured(url)
        ? Promise.resolve(undefined)
        : explained(validators(engine, url, secrecy)),
    commit: (batch) => explained(commit(engine, names, batch)),
    index: (batch) => explained(index(engine, names, batch)),
    mergeFiles: (merge) => explained(mergeFiles(engine, names, merge)),
    swapFile: (swap) => explained(swapFile(engine, names, swap)),
    beginRestoring: (...crawl) => explained(beginRestoring(engine, names, crawl)),
    inPassing: (work) => inPassing(engine, names, work),
    siteBounds: () => engine.bounds,
    setSiteRules: (rules) => explained(setSiteRules(engine, names, rules)),
    close() {
      clearNames(names);
      return engine.close();
    },
  };
}
