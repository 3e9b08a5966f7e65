import type { Millis } from './time.ts';

/**
 * What a later look at a stored capture found: content of the `urn:analysis:` record, the closing
 * record of an analysis event. Layout and delta precede it, where there are any.
 */
export interface VersionAnalysis {
  /** Of the page. */
  readonly url: string;
  /** Time of the capture. */
  readonly at: Millis;
  /** When it was analysed: of two analyses of one capture the later one holds. */
  readonly madeAt: Millis;
  /** What it was made with: layouts made by another analyser are redone by `analyse --again`. */
  readonly analyser: string;
  /** The capture whose layout applies to this one: itself, or an earlier one that looked the same. Absent where there is none. */
  readonly layoutAt?: Millis;
  /** The capture whose layout it was compared with; absent where there was none before it. */
  readonly comparedAt?: Millis;
  /** This layout replaces a different one stored before for the capture: comparisons with the old one are out of date. */
  readonly recut?: true;
  /** Its event holds a snapshot of its own. */
  readonly snapshot?: true;
  /** What went wrong, or is missing: `no layout: …`, `no delta: …`, files that are not in the archive. */
  readonly facts: readonly string[];
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Undefined for anything else: records of other archives may hold anything. */
export function readVersionAnalysis(value: unknown): VersionAnalysis | undefined {
  const given = (value ?? {}) as Partial<Record<keyof VersionAnalysis, unknown>>;
  const { url, at, madeAt, analyser, layoutAt, comparedAt, facts } = given;
  if (typeof url !== 'string' || typeof analyser !== 'string' || !isTime(at) || !isTime(madeAt))
    return undefined;
  if (!Array.isArray(facts) || !facts.every((fact) => typeof fact === 'string')) return undefined;
  if ([layoutAt, comparedAt].some((time) => time !== undefined && !isTime(time))) return undefined;
  return {
    url,
    at,
    madeAt,
    analyser,
    ...(isTime(layoutAt) && { layoutAt }),
    ...(isTime(comparedAt) && { comparedAt }),
    ...(given.recut === true && { recut: true as const }),
    ...(given.snapshot === true && { snapshot: true as const }),
    facts: facts as readonly string[],
  };
}
