import { type Discovery, discover } from '../../stages/discover.ts';
import { withoutKept } from '../inferences.ts';
import type { Admission } from '../perimeter-gate.ts';
import type { Digested, Discovered, VisitWorld } from './visit-state.ts';

const NOTHING: Discovery = { discovered: [], skips: [] };

/** Step: what the page names becomes frontier entries and skips, and its family of URLs perhaps a trap. */
export async function discoverLinks(state: Digested, world: VisitWorld): Promise<Discovered> {
  const { entry, finds, fault, isRedirect } = state;
  const { ports, context } = world;
  const { scope, clock } = ports;
  // The set of pages is that of the first pass.
  if (fault) context.gate?.isGone(entry.url);
  if (fault || entry.kind === 'revisit')
    return { ...state, at: 'discovered', discovery: NOTHING, standing: undefined };
  if (finds.hints) context.inferences.hear(finds.hints);
  const { discovered, skips } = await discover(entry, finds, { ...context, scope, clock });
  const found = withoutKept(discovered, context.inferences);
  const admitted = await context.gate?.admit(state, found, clock.now());
  const discovery = { skips, discovered: found, ...(admitted && offered(admitted)) };
  if (!isRedirect && entry.kind === 'page') await lookForTrap(state, world);
  return { ...state, at: 'discovered', discovery, standing: admitted?.standing };
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
