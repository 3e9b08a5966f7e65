import { setImmediate as turn } from 'node:timers/promises';
import type { CaptureFact } from '../model/capture.ts';
import type { CaptureQuery, Catalog } from '../ports/catalog.ts';
import { type Connection, type Engine, transaction } from './engines/engine.ts';
import { claim, ownerOf } from './owner.ts';
import { answeredVisits, unplannedRevisits } from './reading/answered-visits.ts';
import { listCaptures } from './reading/capture-list.ts';
import { captureByRecordId, closest, originalOf, originals, validators } from './reading/capture-lookup.ts';
import { changes, pageCourse } from './reading/change-queries.ts';
import { changeCrawl, crawls, createCrawl, unfinishedCrawl } from './reading/crawl-queries.ts';
import { settledVisits, tally } from './reading/crawl-tally.ts';
import { frontierLog } from './reading/frontier-log.ts';
import { frontierUrls, hostCounts, pending, skipPending } from './reading/frontier-queries.ts';
import { pageHistories, pagesOfLastCrawl } from './reading/history-queries.ts';
import { links, pages, sites } from './reading/page-queries.ts';
import {
  forgetPatterns,
  learnPages,
  learntSite,
  pagePatterns,
  patternGroups,
  settlePatterns,
} from './reading/pattern-queries.ts';
import { captureMark, pageStandings, seenPages, sightings, versions } from './reading/sighting-queries.ts';
import { skipRules, skips } from './reading/skip-queries.ts';
import { visits } from './reading/visit-list.ts';
import { clearNames, commit, index, type Names, namesOf } from './writing/commit.ts';
import { crawlNotes } from './writing/crawl-notes.ts';
import { setCrawlState } from './writing/crawl-state.ts';
import { clearDerived, filesToIndex, forgetTail, lostFiles, warcFiles } from './writing/recovery.ts';

/**
 * Rows handed out before other work has its turn: SQLite answers within one turn of the event loop, so that a long listing
 * would keep sockets and signals waiting to its end.
 */
const ROWS_PER_TURN = 500;

/** The catalog over an engine: SQLite and PostgreSQL differ below this class, never in it. */
export class SqlCatalog implements Catalog {
  readonly #engine: Engine;
  readonly #names: Names;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#names = namesOf(engine);
  }

  async #explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.#engine.explain(error);
    }
  }

  /** In a transaction: a statement that is lost alone may have been done or not. */
  #written<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    return this.#explained(transaction(this.#engine, work));
  }

  async *#explainedEach<T>(items: AsyncIterable<T>): AsyncIterable<T> {
    try {
      let left = ROWS_PER_TURN;
      for await (const item of items) {
        yield item;
        if (--left > 0) continue;
        left = ROWS_PER_TURN;
        await turn();
      }
    } catch (error) {
      throw this.#engine.explain(error);
    }
  }

  owner: Catalog['owner'] = () => this.#explained(ownerOf(this.#engine.db));
  claim: Catalog['claim'] = (owner) => this.#explained(claim(this.#engine, owner));

  createCrawl: Catalog['createCrawl'] = (...args) => this.#written((db) => createCrawl(db, ...args));
  unfinishedCrawl: Catalog['unfinishedCrawl'] = (key) =>
    this.#explained(unfinishedCrawl(this.#engine.db, key));
  setCrawlState: Catalog['setCrawlState'] = (...args) =>
    this.#written((db) => setCrawlState(this.#engine, db, ...args));
  crawls: Catalog['crawls'] = () => this.#explained(crawls(this.#engine.db));
  tally: Catalog['tally'] = (crawlId) => this.#explained(tally(this.#engine.db, crawlId));

  commit: Catalog['commit'] = (batch) => this.#explained(commit(this.#engine, this.#names, batch));

  index: Catalog['index'] = (batch) => this.#explained(index(this.#engine, this.#names, batch));

  pending: Catalog['pending'] = (...args) => this.#explained(pending(this.#engine.db, ...args));
  hostCounts: Catalog['hostCounts'] = (crawlId) => this.#explained(hostCounts(this.#engine.db, crawlId));
  pageHistories: Catalog['pageHistories'] = (site) =>
    this.#explainedEach(pageHistories(this.#engine.db, site));
  pagesOfLastCrawl: Catalog['pagesOfLastCrawl'] = (host) =>
    this.#explainedEach(pagesOfLastCrawl(this.#engine.db, host));
  unplannedRevisits: Catalog['unplannedRevisits'] = (...args) =>
    this.#explained(unplannedRevisits(this.#engine.db, ...args));
  answeredVisits: Catalog['answeredVisits'] = (crawlId) =>
    this.#explainedEach(answeredVisits(this.#engine, crawlId));
  frontierUrls: Catalog['frontierUrls'] = (crawlId) =>
    this.#explainedEach(frontierUrls(this.#engine.db, crawlId));
  frontierLog: Catalog['frontierLog'] = (...args) =>
    this.#explainedEach(frontierLog(this.#engine.db, ...args));
  skipPending: Catalog['skipPending'] = (...args) => this.#explained(skipPending(this.#engine, ...args));
  skips: Catalog['skips'] = (query) => this.#explained(skips(this.#engine.db, query));
  settledVisits: Catalog['settledVisits'] = (query) => this.#explained(settledVisits(this.#engine.db, query));
  notes: Catalog['notes'] = (crawlId) => this.#explained(crawlNotes(this.#engine.db, crawlId));
  changeCrawl: Catalog['changeCrawl'] = (...args) => this.#explained(changeCrawl(this.#engine.db, ...args));
  skipRules: Catalog['skipRules'] = (query) => this.#explained(skipRules(this.#engine.db, query));
  visits: Catalog['visits'] = (query) => this.#explained(visits(this.#engine.db, query));

  originals: Catalog['originals'] = (sha256) => this.#explained(originals(this.#engine, sha256));
  validators: Catalog['validators'] = (url) => this.#explained(validators(this.#engine, url));
  closest: Catalog['closest'] = (url, at) => this.#explained(closest(this.#engine.db, url, at));
  originalOf: Catalog['originalOf'] = (capture) => this.#explained(originalOf(this.#engine.db, capture));
  captureByRecordId: Catalog['captureByRecordId'] = (recordId) =>
    this.#explained(captureByRecordId(this.#engine.db, recordId));

  captures(query: CaptureQuery): AsyncIterable<CaptureFact> {
    return this.#explainedEach(listCaptures(this.#engine.db, query));
  }

  sites: Catalog['sites'] = () => this.#explained(sites(this.#engine.db));
  pages: Catalog['pages'] = (query) => this.#explained(pages(this.#engine.db, query));
  links: Catalog['links'] = (query) => this.#explained(links(this.#engine.db, query));

  changes: Catalog['changes'] = (query) => this.#explained(changes(this.#engine.db, query));
  pageCourse: Catalog['pageCourse'] = (url, limit) =>
    this.#explained(pageCourse(this.#engine.db, url, limit));

  captureMark: Catalog['captureMark'] = () => this.#explained(captureMark(this.#engine.db));
  seenPages: Catalog['seenPages'] = (...args) => this.#explainedEach(seenPages(this.#engine.db, ...args));
  sightings: Catalog['sightings'] = (urls) => this.#explained(sightings(this.#engine.db, urls));
  pageStandings: Catalog['pageStandings'] = (site) =>
    this.#explainedEach(pageStandings(this.#engine.db, site));
  versions: Catalog['versions'] = (query) => this.#explained(versions(this.#engine.db, query));
  learntSite: Catalog['learntSite'] = (site) => this.#explained(learntSite(this.#engine.db, site));
  patternGroups: Catalog['patternGroups'] = (site) => this.#explained(patternGroups(this.#engine.db, site));
  pagePatterns: Catalog['pagePatterns'] = (query) =>
    this.#explainedEach(pagePatterns(this.#engine.db, query));
  learnPages: Catalog['learnPages'] = (...args) => this.#explained(learnPages(this.#engine, ...args));
  forgetPatterns: Catalog['forgetPatterns'] = (site) => this.#explained(forgetPatterns(this.#engine, site));
  settlePatterns: Catalog['settlePatterns'] = (...args) =>
    this.#explained(settlePatterns(this.#engine, ...args));

  warcFiles: Catalog['warcFiles'] = () => this.#explained(warcFiles(this.#engine.db));
  filesToIndex: Catalog['filesToIndex'] = () => this.#explained(filesToIndex(this.#engine.db));
  lostFiles: Catalog['lostFiles'] = () => this.#explained(lostFiles(this.#engine.db));
  forgetTail: Catalog['forgetTail'] = (file, from) => this.#explained(forgetTail(this.#engine, file, from));
  giveUpTail: Catalog['giveUpTail'] = (file, from) =>
    this.#explained(forgetTail(this.#engine, file, from, { isLoss: true }));
  clearDerived: Catalog['clearDerived'] = () => this.#explained(clearDerived(this.#engine));

  close(): Promise<void> {
    clearNames(this.#names);
    return this.#engine.close();
  }
}
