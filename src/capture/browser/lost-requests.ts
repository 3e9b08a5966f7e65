/** Which of a page's requests were lost: everything asked for, minus what arrived and what was kept away by choice. */
import type { FaultKind } from '../../model/fault.ts';
import type { LostRequest } from '../../model/lost-request.ts';
import { words } from '../words.ts';
import type { Hop } from './recorded-request.ts';

/** Losses of one page that are listed individually. */
const MOST = 20_000;

/** Nothing the page shows: its reports, its prefetches, streams that never end. */
const NO_PART_OF_THE_PAGE = words('ping preflight cspviolationreport prefetch signedexchange eventsource');
/** Asked for by scripts: a missing answer may be one held back on purpose (long polling). */
const BY_SCRIPTS = words('xhr fetch');
/** Reported by our guard after it tried; a direct request would fail the same way. */
const UNREACHABLE: ReadonlySet<FaultKind> = new Set<FaultKind>(['dns-failure', 'connection-refused']);

export interface Losses {
  readonly lost: readonly LostRequest[];
  /** Further ones that are not listed individually. */
  readonly more: number;
}

/** Each URL once, in the order requested. */
export function lossesOf(hops: readonly Hop[], mainFrame: string): Losses {
  const came = new Set<string>();
  for (const hop of hops) {
    const whole = hop.state === 'dropped' || (hop.state === 'done' && hop.truncated !== 'disconnect');
    if (hop.loss === undefined && whole && hop.method === 'GET') came.add(hop.url);
  }
  const lost = new Map<string, LostRequest>();
  let more = 0;
  for (const hop of hops) {
    const loss = came.has(hop.url) || lost.has(hop.url) ? undefined : lossOf(hop, mainFrame);
    if (!loss) continue;
    if (lost.size < MOST) lost.set(hop.url, loss);
    else more++;
  }
  return { lost: [...lost.values()], more };
}

function lossOf(hop: Hop, mainFrame: string): LostRequest | undefined {
  const { url, resourceType: type, loss } = hop;
  if (!loss || NO_PART_OF_THE_PAGE.has(type)) return undefined;
  // Where the page itself would have gone is a link, and the page's own fault belongs to the visit.
  if (type === 'document' && hop.frame === mainFrame) return undefined;
  const byScript = BY_SCRIPTS.has(type);
  // Requests that the page's own scripts cancel are not lost.
  if (byScript && loss.withdrawn) return undefined;
  const mayHang = byScript && loss.fault === 'timeout';
  const remedy =
    hop.method !== 'GET' || mayHang
      ? 'unrepeatable'
      : loss.byGuard && UNREACHABLE.has(loss.fault)
        ? 'unreachable'
        : 'ask';
  return { url, type, fault: loss.fault, why: loss.why, remedy };
}
