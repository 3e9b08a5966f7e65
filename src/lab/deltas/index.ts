export { type CheckName, PAIR_CHECKS, type PairChecks } from './check-pair.ts';
export {
  type DeltaStudy,
  type PageStudy,
  type ShownVersion,
  type StudiedPair,
  type StudyOptions,
  studyDeltas,
} from './study.ts';
export { deltaTable } from './table.ts';
