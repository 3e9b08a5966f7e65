import type { ImportanceLedger } from '../../ports/importance-ledger.ts';
import type { Engine } from '../engines/engine.ts';
import { type KnownNames, knownNames } from '../names/known-names.ts';
import type { BookKeeping } from './importance-book.ts';

/** The names that stand for long texts in the other tables. */
export interface Names {
  readonly urls: KnownNames;
  readonly sites: KnownNames;
  readonly hosts: KnownNames;
  readonly keeping: BookKeeping;
  /** Settles when the batch under way is done. */
  turn: Promise<unknown>;
  /** Works under way that go through more names than memory should hold. */
  passing: number;
}

/**
 * URLs remembered per process: as text the latest 60,000-120,000 (20-40 MB), since a site repeats its navigation
 * on every page; by hash the first two million (66 MB, less while there are fewer).
 */
const URLS = { recent: 60_000, table: 2 ** 21 } as const;
const FEW = { recent: 5_000, table: 50_000 } as const;

export function namesOf(engine: Engine, ledger?: ImportanceLedger): Names {
  return {
    urls: knownNames(engine, 'urls', 'url', URLS),
    sites: knownNames(engine, 'sites', 'site', FEW),
    hosts: knownNames(engine, 'hosts', 'host', FEW),
    keeping: { engine, ledger, inHand: {} },
    turn: Promise.resolve(),
    passing: 0,
  };
}

export function clearNames(names: Names): void {
  names.urls.clear();
  names.sites.clear();
  names.hosts.clear();
  names.keeping.inHand.book = undefined;
}
