/**
 * The catalog: a cache of the WARC files, rebuilt by `reindex`. SQLite and PostgreSQL implement it alike. It is the sum
 * of small ports; code that needs only one of them depends on that one.
 */
import type { AlertCatalog } from './catalog/alerts.ts';
import type { AnalysisCatalog } from './catalog/analyses.ts';
import type { CaptureCatalog } from './catalog/captures.ts';
import type { ChangeCatalog } from './catalog/changes.ts';
import type { CommitCatalog } from './catalog/commits.ts';
import type { CountedTimesCatalog } from './catalog/counted-times.ts';
import type { CrawlCatalog } from './catalog/crawls.ts';
import type { FrontierCatalog } from './catalog/frontier.ts';
import type { HappeningCatalog } from './catalog/happenings.ts';
import type { HistoryCatalog } from './catalog/history.ts';
import type { ImportanceCatalog } from './catalog/importance.ts';
import type { InferenceCatalog } from './catalog/inferences.ts';
import type { MergingCatalog } from './catalog/merging.ts';
import type { OwnerCatalog } from './catalog/owner.ts';
import type { PageCatalog } from './catalog/pages.ts';
import type { PatternCatalog } from './catalog/patterns.ts';
import type { PerimeterCatalog } from './catalog/perimeters.ts';
import type { RecoveryCatalog } from './catalog/recovery.ts';
import type { ResultCatalog } from './catalog/results.ts';
import type { SiteDeltaCatalog } from './catalog/site-deltas.ts';
import type { SiteCatalog } from './catalog/sites.ts';
import type { ThinningCatalog } from './catalog/thinning.ts';
import type { WordCatalog } from './catalog/words.ts';
import type { WorkerCatalog } from './catalog/workers.ts';

export type * from './catalog/alerts.ts';
export type * from './catalog/analyses.ts';
export type * from './catalog/captures.ts';
export type * from './catalog/changes.ts';
export type * from './catalog/commits.ts';
export type * from './catalog/counted-times.ts';
export type * from './catalog/crawls.ts';
export type * from './catalog/frontier.ts';
export type * from './catalog/happenings.ts';
export type * from './catalog/history.ts';
export type * from './catalog/importance.ts';
export type * from './catalog/inferences.ts';
export type * from './catalog/merging.ts';
export type * from './catalog/owner.ts';
export type * from './catalog/pages.ts';
export type * from './catalog/patterns.ts';
export type * from './catalog/perimeters.ts';
export type * from './catalog/recovery.ts';
export type * from './catalog/results.ts';
export type * from './catalog/site-deltas.ts';
export type * from './catalog/sites.ts';
export type * from './catalog/thinning.ts';
export type * from './catalog/words.ts';
export type * from './catalog/workers.ts';

export interface Catalog
  extends WordCatalog,
    OwnerCatalog,
    SiteCatalog,
    CrawlCatalog,
    CommitCatalog,
    FrontierCatalog,
    ResultCatalog,
    CaptureCatalog,
    CountedTimesCatalog,
    PageCatalog,
    ChangeCatalog,
    AnalysisCatalog,
    HistoryCatalog,
    ImportanceCatalog,
    InferenceCatalog,
    PatternCatalog,
    SiteDeltaCatalog,
    PerimeterCatalog,
    AlertCatalog,
    HappeningCatalog,
    RecoveryCatalog,
    ThinningCatalog,
    MergingCatalog,
    WorkerCatalog {}
