import { isPartial } from '../model/delta.ts';
import type { Layout } from '../model/layout.ts';
import type { AdRecogniser } from '../ports/ad-recogniser.ts';
import type { AnalysisRequest, PageAnalyser, PageAnalysis, PreviousVersion } from '../ports/page-analyser.ts';
import { changeShares, sharesAfter, weighedByPast } from '../science/delta/block-history.ts';
import { changeOf, courseOf } from '../science/delta/change-of.ts';
import { diffLayouts } from '../science/delta/diff-layouts.ts';
import { writeViDelta } from '../science/delta/vi-delta.ts';
import { parseViXml, writeViXml } from '../science/layout/vi-xml.ts';
import { placedFrom } from './stored/layout.ts';

/** The document analyser: snapshot → layout → delta against the previous version → importance. Pure, but for the lists. */
export function analyseSnapshot(request: AnalysisRequest, ads?: AdRecogniser): PageAnalysis {
  const { url, version, previous, course } = request;
  const now =
    request.packed === undefined
      ? parseViXml(request.filled)
      : placedFrom(request.packed, url, version, ads).layout;
  if (!previous) return { kind: 'first', viXml: writeViXml(now) };
  const old = previousLayout(previous, url, ads);
  if (old.segmenter !== now.segmenter) return { kind: 'other-segmenter', segmenter: old.segmenter };
  const first = diffLayouts(old, now);
  // Where not all was seen, equal parts do not make equal pages.
  if (first.operations.length === 0 && !isPartial(first)) {
    // Of another segmenter: archived once more, so that the next visit need not segment the past again.
    return previous.kind === 'layout' ? { kind: 'same' } : { kind: 'first', viXml: writeViXml(now) };
  }
  const weighed = course ? weighedByPast(now, sharesAfter(changeShares(course), courseOf(first))) : now;
  const delta = weighed === now ? first : diffLayouts(old, weighed);
  return {
    kind: 'changed',
    viXml: writeViXml(weighed),
    viDelta: writeViDelta(delta),
    change: changeOf(delta),
  };
}

function previousLayout(previous: PreviousVersion, url: string, ads: AdRecogniser | undefined): Layout {
  if (previous.kind === 'snapshot') return placedFrom(previous.packed, url, previous.version, ads).layout;
  return parseViXml(previous.viXml);
}

/** In this very thread: for tests and the lab. The crawler's is in a thread of its own. */
export function inProcessAnalyser(ads?: AdRecogniser): PageAnalyser {
  return {
    analyse: async (request) => analyseSnapshot(request, ads),
    close: async () => {},
  };
}
