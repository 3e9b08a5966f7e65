import type { Decision, DecisionKind } from './decision.ts';
import { bareUrl, hostsOver, patternTest, targetKind } from './decision-target.ts';
import type { Millis } from './time.ts';

/** What people have decided about one URL, as it stands now. */
export interface DecisionsOn {
  /** All that match and have neither expired nor been undone, latest first. */
  readonly all: readonly Decision[];
  /** Whether it belongs. */
  readonly verdict?: Decision;
  readonly every?: Decision;
  readonly weight?: Decision;
  /** Set where rules never leave it out: a pin, or never-skip. */
  readonly kept?: Decision;
}

const NOTHING: DecisionsOn = { all: [] };

/**
 * The decisions of an archive. Of several that match a URL the latest holds, even if another is more specific:
 * a person who decides about a whole site has seen what was decided about its pages, or is told.
 *
 * Cost of a lookup: one map access per label of the host, and one test per pattern.
 */
export class Decisions {
  /** Grows with each change: anything derived from an earlier answer may be out of date. */
  version = 0;
  /** By key of the target: pages by bare URL, sites by host, patterns as they are. */
  readonly #made = new Map<string, Decision[]>();
  readonly #undoneAt = new Map<string, Millis>();
  readonly #patterns = new Map<string, (bare: string) => boolean>();

  constructor(decisions: Iterable<Decision> = []) {
    for (const decision of decisions) this.add(decision);
  }

  add(decision: Decision): void {
    this.version++;
    const { target, act, at } = decision;
    const key = keyOf(target);
    if (act.kind === 'undo') {
      this.#undoneAt.set(key, Math.max(at, this.#undoneAt.get(key) ?? at));
      return;
    }
    this.#made.set(key, [...(this.#made.get(key) ?? []), decision]);
    if (targetKind(target) === 'pattern') this.#patterns.set(key, patternTest(target));
  }

  /** What holds for a target itself, whatever is decided about others. */
  of(target: string, now: Millis): readonly Decision[] {
    return this.#held(keyOf(target), now);
  }

  on(url: string, now: Millis): DecisionsOn {
    if (this.#made.size === 0) return NOTHING;
    const bare = bareUrl(url);
    const found = [...this.#held(`page ${bare}`, now)];
    for (const host of hostsOver(bare)) found.push(...this.#held(`site ${host}`, now));
    for (const [key, test] of this.#patterns) if (test(bare)) found.push(...this.#held(key, now));
    return found.length === 0 ? NOTHING : grouped(found);
  }

  #held(key: string, now: Millis): readonly Decision[] {
    const made = this.#made.get(key);
    if (!made) return [];
    const undone = this.#undoneAt.get(key);
    return made.filter(
      ({ at, until = Number.POSITIVE_INFINITY }) => until > now && (undone === undefined || at > undone),
    );
  }
}

function grouped(matching: readonly Decision[]): DecisionsOn {
  const all = matching.toSorted((a, b) => b.at - a.at || 0);
  const first = (...kinds: readonly DecisionKind[]) => all.find(({ act }) => kinds.includes(act.kind));
  const [verdict, every, weight, kept] = [
    first('in', 'out'),
    first('every'),
    first('weight'),
    first('pin', 'never-skip'),
  ];
  return {
    all,
    ...(verdict && { verdict }),
    ...(every && { every }),
    ...(weight && { weight }),
    ...(kept && { kept }),
  };
}

function keyOf(target: string): string {
  const kind = targetKind(target);
  if (kind === 'pattern') return `pattern ${bareUrl(target)}`;
  return kind === 'page' ? `page ${bareUrl(target)}` : `site ${target.toLowerCase()}`;
}
