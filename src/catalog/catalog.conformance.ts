import { afterEach, beforeEach, describe } from 'vitest';
import type { Catalog } from '../ports/catalog.ts';
import { alertsAndDeliveries } from './conformance/alerts.conformance.ts';
import { analysesOfCaptures } from './conformance/analyses.conformance.ts';
import { capturesAndPages } from './conformance/captures-and-pages.conformance.ts';
import { changesOfPages } from './conformance/changes.conformance.ts';
import { crawlsAndFrontier } from './conformance/crawls-and-frontier.conformance.ts';
import type { CatalogPlace, NewPlace } from './conformance/examples.conformance.ts';
import { frontierModel } from './conformance/frontier-model.conformance.ts';
import { importanceOfPages } from './conformance/importance.conformance.ts';
import { indexLists } from './conformance/index-lines.conformance.ts';
import { inferences } from './conformance/inferences.conformance.ts';
import { ownership } from './conformance/owner.conformance.ts';
import { listsInParts } from './conformance/parts.conformance.ts';
import { twoPasses } from './conformance/passes.conformance.ts';
import { patternsOfPages } from './conformance/patterns.conformance.ts';
import { perimetersOfPages } from './conformance/perimeters.conformance.ts';
import { recovery, texts } from './conformance/recovery-and-text.conformance.ts';
import { settledImportance } from './conformance/settling.conformance.ts';
import { siteDeltas } from './conformance/site-deltas.conformance.ts';
import { sitesByRules } from './conformance/sites.conformance.ts';
import { skipsAndDenials } from './conformance/skips.conformance.ts';
import { steadyPages } from './conformance/steady-pages.conformance.ts';
import { tallies } from './conformance/tally.conformance.ts';
import { unchangedSites } from './conformance/unchanged-sites.conformance.ts';
import { weighings } from './conformance/weighings.conformance.ts';
import { wordsOfPages } from './conformance/words.conformance.ts';
import { workersOfCatalog } from './conformance/workers.conformance.ts';

/** What every catalog does, whatever it is stored in. */
export function catalogConformance(name: string, newPlace: NewPlace, options: { modelRuns: number }): void {
  describe(`catalog on ${name}`, () => {
    let place: CatalogPlace;
    let catalog: Catalog;

    beforeEach(async () => {
      place = await newPlace();
      catalog = await place.open();
    });

    afterEach(async () => {
      await catalog.close();
      await place.remove();
    });

    const current = () => catalog;
    const reopen = async () => {
      await catalog.close();
      catalog = await place.open();
      return catalog;
    };

    describe('ownership', () => ownership(current, reopen, newPlace));
    describe('crawls and frontier', () => crawlsAndFrontier(current, reopen));
    describe('skips and denials', () => skipsAndDenials(current, reopen));
    describe('captures and pages', () => capturesAndPages(current, reopen));
    describe('index', () => indexLists(current));
    describe('sites by rules', () => sitesByRules(current, reopen));
    describe('lists in parts', () => listsInParts(current));
    describe('perimeters', () => perimetersOfPages(current, reopen));
    describe('changes', () => changesOfPages(current, reopen));
    describe('analyses', () => analysesOfCaptures(current, reopen));
    describe('alerts', () => alertsAndDeliveries(current, reopen));
    describe('patterns', () => patternsOfPages(current, reopen));
    describe('weighings', () => weighings(current, reopen));
    describe('words', () => wordsOfPages(current, reopen));
    describe('workers', () => workersOfCatalog(current));
    describe('importance', () => importanceOfPages(newPlace));
    describe('importance, settled', () => settledImportance(newPlace));
    describe('inferences', () => inferences(current, reopen));
    describe('site-deltas', () => siteDeltas(current, reopen));
    describe('steady pages', () => steadyPages(current, reopen));
    describe('two passes', () => twoPasses(current, reopen));
    describe('tallies', () => tallies(current, reopen));
    describe('unchanged sites', () => unchangedSites(current, reopen));
    describe('recovery', () => recovery(current, reopen));
    describe('texts', () => texts(current, reopen));
  });

  describe(`frontier model on ${name}`, () => frontierModel(newPlace, options.modelRuns));
}
