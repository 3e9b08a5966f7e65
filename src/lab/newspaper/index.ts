/** The living newspaper: a site whose every change is known. See docs/newspaper.md. */
export type { ContentBlock, Item, NewsContent, PageClass } from './content.ts';
export { PAGE_CLASSES } from './content.ts';
export type { ChangeKind, ContentChange, ContentKind } from './content-diff.ts';
export { type FastClock, type FastClockOptions, fastClock } from './fast-clock.ts';
export {
  type NeighbourOrigins,
  type PaperNeighbours,
  startNeighbours,
  TOWN_NEVER,
  TOWN_PROMISE,
} from './neighbours.ts';
export { AD_INTERVAL, type AdMode, stripNoise } from './render/ads.ts';
export { hourlyRate, RHYTHMS, type Rhythm, type RhythmName } from './rhythms.ts';
export { SECTION_IDS, type SectionId, SIZE_NAMES, type SizeName } from './sections.ts';
export {
  type AccessEntry,
  type NewspaperServer,
  type NewspaperServerOptions,
  type ServerFault,
  startNewspaper,
} from './server.ts';
export type { Version } from './timeline.ts';
export { type ChangeOptions, type Fingerprint, openTruth, type PageChange, type Truth } from './truth.ts';
export {
  createNewspaper,
  type NewsPageFacts,
  type Newspaper,
  type NewspaperOptions,
  type Resolution,
  type Traps,
} from './world.ts';
