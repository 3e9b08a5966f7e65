/** The default segmenter as it performs on unseen sites: each page is cut by models trained without its site. */
import { blocksWith } from '../../science/layout/blocks/index.ts';
import type { Segmenter } from '../../science/layout/segmenter.ts';
import type { AnnotatedPage } from './annotated-page.ts';
import { trainBlocks, trainingPage } from './train-blocks.ts';

export const FOLDS = 10;

/** Fold of each page: sites in order of name are dealt out in turn. */
export function foldsBySite(pages: readonly AnnotatedPage[], folds: number): number[] {
  const sites = [...new Set(pages.map(({ name }) => name))].sort();
  const place = new Map(sites.map((site, i) => [site, i % folds]));
  return pages.map(({ name }) => place.get(name) as number);
}

/** For each page, the segmenter of its fold. */
export function heldOutSegmenters(pages: readonly AnnotatedPage[], folds = FOLDS): Segmenter[] {
  const foldOf = foldsBySite(pages, folds);
  const training = pages.map(trainingPage);
  const segmenters = Array.from({ length: folds }, (_, fold) =>
    blocksWith(trainBlocks(training.filter((_page, i) => foldOf[i] !== fold)), 'blocks, held out'),
  );
  return foldOf.map((fold) => segmenters[fold] as Segmenter);
}
