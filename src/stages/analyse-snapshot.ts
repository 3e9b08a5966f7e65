import { type Delta, isPartial } from '../model/delta.ts';
import type { Layout } from '../model/layout.ts';
import type { AdRecogniser } from '../ports/ad-recogniser.ts';
import type { AnalysisRequest, PageAnalyser, PageAnalysis, PreviousVersion } from '../ports/page-analyser.ts';
import { changeShares, sharesAfter, weighedByPast } from '../science/delta/block-history.ts';
import { changeOf, courseOf } from '../science/delta/change-of.ts';
import { diffLayouts } from '../science/delta/diff-layouts.ts';
import { withSalience } from '../science/delta/salience/salience.ts';
import { writeViDelta } from '../science/delta/vi-delta.ts';
import { KeptLayouts } from '../science/layout/kept-layouts.ts';
import { writeViXml } from '../science/layout/vi-xml.ts';
import { placedFrom } from './stored/layout.ts';

/**
 * The document analyser: snapshot → layout → delta against the previous version → importance, salience. Pure, apart from the lists.
 */
export function analyseSnapshot(
  request: AnalysisRequest,
  ads?: AdRecogniser,
  layouts = new KeptLayouts(),
): PageAnalysis {
  const { url, version, previous, course, told } = request;
  const old = previous && previousLayout(previous, url, layouts, ads);
  const now =
    request.packed === undefined
      ? successor(layouts.parse(request.filled), old)
      : placedFrom(request.packed, url, version, ads, old).layout;
  const written = (layout: Layout): string => {
    const viXml = writeViXml(layout);
    layouts.keep(viXml, layout);
    return viXml;
  };
  if (!old) return { kind: 'first', viXml: written(now) };
  if (old.segmenter !== now.segmenter) return { kind: 'other-segmenter', segmenter: old.segmenter };
  const first = diffLayouts(old, now);
  // If not everything was seen, equal parts do not make equal pages.
  if (first.operations.length === 0 && !isPartial(first)) {
    // Made by another segmenter: archived once more, so that the next visit need not segment the past again.
    return previous?.kind === 'layout' ? { kind: 'same' } : { kind: 'first', viXml: written(now) };
  }
  const { layout: weighed, delta } = withPast(old, now, first, { course, told });
  return {
    kind: 'changed',
    viXml: written(weighed),
    viDelta: writeViDelta(delta),
    change: changeOf(delta),
  };
}

/** The delta as archived: weighted by how often blocks change, with its salience; and the newer layout with the same weights. */
export function withPast(
  old: Layout,
  now: Layout,
  first: Delta,
  { course, told }: { readonly [Key in 'course' | 'told']: AnalysisRequest[Key] | undefined },
): { readonly layout: Layout; readonly delta: Delta } {
  const before = course && changeShares(course);
  const shares = before && { old: before, new: sharesAfter(before, courseOf(first)) };
  const layout = shares ? weighedByPast(now, shares.new) : now;
  const delta = layout === now ? first : diffLayouts(old, layout);
  const past = { ...(told && { told }), ...(shares && { changeShares: shares }) };
  return { layout, delta: withSalience({ old, new: layout, delta, past }) };
}

/** A template knows what it was learned from, not what was archived last. */
const successor = (filled: Layout, previous: Layout | undefined): Layout =>
  previous?.segmenter === filled.segmenter ? { ...filled, previous: previous.root.id } : filled;

function previousLayout(
  previous: PreviousVersion,
  url: string,
  layouts: KeptLayouts,
  ads: AdRecogniser | undefined,
): Layout {
  if (previous.kind === 'snapshot') return placedFrom(previous.packed, url, previous.version, ads).layout;
  return layouts.parse(previous.viXml);
}

/** Runs in the calling thread: for tests and the lab. The crawler's analyser has a thread of its own. */
export function inProcessAnalyser(ads?: AdRecogniser): PageAnalyser {
  const layouts = new KeptLayouts();
  return {
    analyse: async (request) => analyseSnapshot(request, ads, layouts),
    close: async () => {},
  };
}
