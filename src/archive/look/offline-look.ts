import type { PageSnapshot } from '../../model/page-snapshot.ts';

export interface OfflineLook<T> {
  readonly seen: T;
  /** Whether the page's own scripts ran. */
  readonly scripts: boolean;
}

/**
 * Offline, pages that first ask for consent empty themselves, or navigate to a page that is not stored: where nothing
 * is visible with the page's scripts, it is looked at without them.
 */
export async function lookOffline<T>(
  look: (scripts: boolean) => Promise<T>,
  snapshotOf: (seen: T) => PageSnapshot | undefined,
): Promise<OfflineLook<T>> {
  const first = await look(true);
  const shown = snapshotOf(first);
  if (!shown || showsSomething(shown)) return { seen: first, scripts: true };
  return { seen: await look(false), scripts: false };
}

export const showsSomething = ({ nodes }: PageSnapshot): boolean =>
  nodes.some((node) => node.kind === 'text' || node.tag === 'img' || node.tag === 'a');
