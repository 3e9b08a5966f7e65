import { redirectTarget } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import { behindRedirect } from '../../science/answers/door-marks.ts';
import { type Discovery, discover } from '../../stages/discover.ts';
import { withoutKept } from '../inferences.ts';
import type { Admission } from '../perimeter-gate.ts';
import type { Digested, Discovered, VisitWorld } from './visit-state.ts';

const NOTHING: Discovery = { discovered: [], skips: [] };
const NONE_NAMED = { has: () => false };

/** Step: what the page names becomes frontier entries and skips, and its family of URLs perhaps a trap. */
export async function discoverLinks(state: Digested, world: VisitWorld): Promise<Discovered> {
  const { entry, finds, isRedirect } = state;
  const { ports, context } = world;
  const { scope, clock } = ports;
  // A second visit follows nothing: where it leads is told by the address, inside of the crawl too.
  const fault = state.fault ?? (entry.kind === 'revisit' ? doorOf(state, world) : undefined);
  // The set of pages is that of the first pass.
  if (fault) context.gate?.isGone(entry.url);
  if (fault || entry.kind === 'revisit')
    return { ...state, at: 'discovered', fault, discovery: NOTHING, standing: undefined };
  if (finds.hints) context.inferences.hear(finds.hints);
  // A round of a watch visits what was planned: where links lead is told by the page's record, and planned for.
  const followed = context.spec.watch && entry.kind === 'page' ? { ...finds, links: [] } : finds;
  const { discovered, skips } = await discover(entry, followed, {
    ...context,
    scope,
    clock,
    // A perimeter judges pages by all that they link to.
    named: context.gate ? NONE_NAMED : context.named,
    ...(context.spec.sitemapDates && { sitemapDates: context.spec.sitemapDates }),
  });
  const { redirect, ...others } = finds;
  const isFollowed = redirect === undefined || discovered.some(({ redirects }) => redirects > 0);
  const door = isFollowed ? undefined : doorOf(state, world);
  if (door) {
    context.gate?.isGone(entry.url);
    const discovery = { discovered, skips };
    return { ...state, at: 'discovered', fault: door, finds: others, discovery, standing: undefined };
  }
  const leftOut = state.shown.by === 'browser' ? state.shown.alternatives.skips : [];
  const found = withoutKept(discovered, context.inferences);
  for (const { url, kind } of found) if (kind === 'page') context.named.add(url);
  const admitted = await context.gate?.admit(state, found, clock.now());
  const linked = context.known.linked(entry.url, found);
  const discovery = {
    skips: [...skips, ...leftOut],
    discovered: found,
    ...(linked.length > 0 && { linked }),
    ...(admitted && offered(admitted)),
  };
  if (!isRedirect && entry.kind === 'page') await lookForTrap(state, world);
  return { ...state, at: 'discovered', discovery, standing: admitted?.standing };
}

/** The login, or the request for consent, that the page's redirect leads to. */
function doorOf({ entry, document }: Digested, { context }: VisitWorld): CaptureFault | undefined {
  const location = redirectTarget(document.exchange);
  if (location === undefined || context.spec.recogniseWalls === false) return undefined;
  const isPage = entry.kind === 'page' || entry.kind === 'revisit';
  if (!isPage || !URL.canParse(location, entry.url)) return undefined;
  const target = new URL(location, entry.url).href;
  const via = entry.redirects > 0 && entry.via !== undefined ? { via: entry.via } : {};
  const verdict = behindRedirect({ url: entry.url, ...via, target });
  return verdict && new CaptureFault(verdict.kind, entry.url, verdict.evidence);
}

const offered = ({ discovered, suspects }: Admission) => ({ discovered, suspects });

/** The text of a page is read only where its family of URLs is large. */
async function lookForTrap(
  { entry: { url }, document, shown }: Digested,
  { ports: { scope, pageReader }, context }: VisitWorld,
): Promise<void> {
  if (!scope.wantsText(url)) return;
  const text =
    shown.by === 'browser' ? shown.rendering.text : (await pageReader.readVisible(document.content))?.text;
  const trap = text === undefined ? undefined : scope.observeText(url, text);
  if (trap) context.onTrap(trap);
}
