/** Every use case of an archive, for use by other programs. See docs/library.md. */
export type { AnalysisReport } from './analyse/analyse-archive.ts';
export { analyseCaptures } from './analyse/analyse-captures.ts';
export type { CrawlReport } from './crawl/crawl-report.ts';
export { CRAWL_SETTINGS, crawlSpec } from './crawl/crawl-settings.ts';
export { checkSpec, type Progress, type RunOptions, runCrawl } from './crawl/run-crawl.ts';
export { type ExportOptions, type ExportReport, exportArchive } from './export/export-archive.ts';
export * from './faults.ts';
export { parsePageSource } from './given/page-source.ts';
export { type ImportReport, importFiles } from './import/import-files.ts';
export { archiveKeys, importKey, rotateKeys } from './keys.ts';
export { type ComparedPages, comparePages } from './look/compare-pages.ts';
export { type InspectedPage, openPageEye } from './look/look-at-page.ts';
export { type MirrorsReport, mirrors } from './mirrors/mirrors.ts';
export {
  type ArchiveLocation,
  type OpenArchive,
  openForReading,
  openForWriting,
} from './open/open-archive.ts';
export { findRefresh } from './refresh/open-refresh.ts';
export { type RefreshPlan, refreshCandidates, refreshPlan } from './refresh/plan-refresh.ts';
export { type RefreshReport, runRefresh } from './refresh/run-refresh.ts';
export { type ReindexReport, reindex } from './reindex.ts';
export { type SiteReport, siteReport } from './site-report.ts';
export { changeSites } from './sites/change-sites.ts';
export { listSites, type SiteList } from './sites/list-sites.ts';
export { type SiteSuggestion, suggestSites } from './sites/suggest-sites.ts';
export { type StopReport, stopWriter } from './stop-writer.ts';
export { systemClock } from './system-clock.ts';
export { type ThinOptions, type ThinReport, thinArchive } from './thin/thin-archive.ts';
export { UserError } from './user-error.ts';
export { type VerifyReport, verify } from './verify/verify.ts';
export { serveAskers } from './writer/serve-askers.ts';
