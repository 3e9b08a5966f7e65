import { type Discovery, discover } from '../../stages/discover.ts';
import type { Digested, Discovered, VisitWorld } from './visit-state.ts';

const NOTHING: Discovery = { discovered: [], skips: [] };

/** Step: what the page names becomes frontier entries and skips, and its family of URLs perhaps a trap. */
export async function discoverLinks(state: Digested, world: VisitWorld): Promise<Discovered> {
  const { entry, finds, fault, isRedirect } = state;
  const { ports, context } = world;
  const { perimeter, clock } = ports;
  // The set of pages is that of the first pass.
  if (fault || entry.kind === 'revisit') return { ...state, at: 'discovered', discovery: NOTHING };
  const discovery = await discover(entry, finds, { ...context, perimeter, clock });
  if (!isRedirect && entry.kind === 'page') await lookForTrap(state, world);
  return { ...state, at: 'discovered', discovery };
}

/** The text of a page is read only where its family of URLs is large. */
async function lookForTrap(
  { entry: { url }, document, shown }: Digested,
  { ports: { perimeter, pageReader }, context }: VisitWorld,
): Promise<void> {
  if (!perimeter.wantsText(url)) return;
  const text =
    shown.by === 'browser' ? shown.rendering.text : (await pageReader.readVisible(document.content))?.text;
  const trap = text === undefined ? undefined : perimeter.observeText(url, text);
  if (trap) context.onTrap(trap);
}
