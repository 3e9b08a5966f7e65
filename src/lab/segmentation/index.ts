export { type AnnotatedPage, annotatedPage } from './annotated-page.ts';
export { BASELINES } from './baselines.ts';
export {
  type MeasureOptions,
  measureSegmenters,
  type SegmentationResult,
  type SetItem,
} from './measure.ts';
export { type Cutter, leafCutter, treeCutter } from './partition.ts';
export { segmentationTable } from './table.ts';
export { trainBlocks, trainingPage } from './train-blocks.ts';
