/**
 * What signals say of pages, kept beside the refresh state: a noisy channel over the changes of each page.
 *
 * R. Busa-Fekete, J. Zimmert, A. György, L. Qiu, T. Sung, H. Shen, H. Choi, S. Subramaniam, L. Xiao: Crawling with noisy
 * change-indicating signals. arXiv 2502.02430 (2025).
 *
 *   r   recall      chance that a change is reported, by all sources that report on the page; 0: none does
 *   q   precision   chance that a signal stands for a change
 *
 * Changes are Poisson, so reported and unreported ones are two independent processes. Once the sources have been
 * heard, the time since the previous hearing holds unreported changes at rate (1 − r)·λ_k, and each signal is one change
 * with chance q. For the time after that, nothing is known beyond λ_k. So the state of a page is kept twice: as of the last
 * hearing (`base`), and now, as if there were no signals (the refresh state). Hearing returns to the base and comes forward again
 * with the thinner rate.
 *
 * Departures from the paper. Rates follow the page's pattern. A signal may carry the size of the change: then that is the weight
 * of the live version, instead of the mean. Objective: versions captured before they are overwritten, not freshness.
 */
export interface ToldPages {
  readonly recall: Float32Array;
  /** Of the sources that report on the page, each weighted by how much it reports. */
  readonly precision: Float32Array;
  /** Gain and expected changes as of the last hearing. */
  readonly baseGain: Float32Array;
  readonly baseExpected: Float32Array;
  /** Up to the last hearing, since the last visit: changes expected without signals; and those that were reported. */
  readonly elapsed: Float32Array;
  readonly toldCount: Float32Array;
  /** 1: sizes of changes were reported since the last visit. */
  readonly sized: Uint8Array;
}

export const toldPages = (size: number): ToldPages => ({
  recall: new Float32Array(size),
  precision: new Float32Array(size),
  baseGain: new Float32Array(size),
  baseExpected: new Float32Array(size),
  elapsed: new Float32Array(size),
  toldCount: new Float32Array(size),
  sized: new Uint8Array(size),
});

/** Changes expected since the last visit. */
export interface ToldChanges {
  /** Without signals, over the whole time; and the part of it up to the last hearing. */
  readonly elapsed: number;
  readonly heard: number;
  /** Reported, each by its chance of being true. */
  readonly told: number;
  /** Up to the last hearing, unreported; and since then. */
  readonly untold: number;
  readonly since: number;
}

export function toldChanges(told: ToldPages, page: number, expected: number): ToldChanges {
  const since = expected - (told.baseExpected[page] as number);
  const heard = told.elapsed[page] as number;
  return {
    elapsed: heard + since,
    heard,
    told: told.toldCount[page] as number,
    untold: heard * (1 - (told.recall[page] as number)),
    since,
  };
}

/**
 * What a visit says of the rate: changes seen and the exposure they were seen in, both in expected changes. Where signals in the
 * gap were true, only their changes are known: unreported ones are hidden behind them, so the exposure is theirs alone.
 */
export function seenChanges(
  told: ToldPages,
  page: number,
  expected: number,
  changed: boolean,
): { readonly changes: number; readonly exposure: number } {
  const parts = toldChanges(told, page, expected);
  if (!changed) return { changes: 0, exposure: parts.elapsed };
  if (parts.told > 0) return { changes: parts.told, exposure: parts.heard * (told.recall[page] as number) };
  const count = parts.untold + parts.since;
  return { changes: count > 1e-6 ? count / -Math.expm1(-count) : 1, exposure: parts.elapsed };
}

export function visitedTold(told: ToldPages, page: number): void {
  told.baseGain[page] = 0;
  told.baseExpected[page] = 0;
  told.elapsed[page] = 0;
  told.toldCount[page] = 0;
  told.sized[page] = 0;
}

/** The arrays of the refresh state that hearing modifies. */
export interface HeardState {
  readonly gain: Float32Array;
  readonly expected: Float32Array;
  readonly survival: Float32Array;
  readonly told?: ToldPages;
}

/** Cap on precision, which leaves room for error: no source is always right. */
const SUREST = 0.999;

/** The sources that report on the page were heard up to now; for what they said see `tell`. */
export function hear(state: HeardState, page: number): void {
  const { told, gain, expected, survival } = state;
  if (!told) return;
  const untold = 1 - (told.recall[page] as number);
  const before = told.baseGain[page] as number;
  const since = (expected[page] as number) - (told.baseExpected[page] as number);
  if (since > 0) {
    const changed = -Math.expm1(-since);
    // Mean weight of a change in this span, derived from the step made as if there were no signals.
    const emphasis = changed > 1e-9 ? ((gain[page] as number) - before * (1 - changed)) / changed : 1;
    const stays = Math.exp(-untold * since);
    gain[page] = before * stays + emphasis * (1 - stays);
    expected[page] = (told.baseExpected[page] as number) + untold * since;
    survival[page] = Math.exp(-(expected[page] as number));
    told.elapsed[page] = (told.elapsed[page] as number) + since;
  }
  told.baseGain[page] = gain[page] as number;
  told.baseExpected[page] = expected[page] as number;
}

/**
 * A signal says that the page changed since it was visited. Call `hear` first.
 * @param chance that it did, by this signal alone
 * @param emphasis of the change, relative to the page's mean
 */
export function tell(state: HeardState, page: number, chance: number, emphasis: number): void {
  const { told, gain, expected, survival } = state;
  if (!told) return;
  const sure = Math.min(SUREST, Math.max(0, chance));
  gain[page] = (gain[page] as number) * (1 - sure) + sure * emphasis;
  expected[page] = (expected[page] as number) - Math.log1p(-sure);
  survival[page] = Math.exp(-(expected[page] as number));
  told.baseGain[page] = gain[page] as number;
  told.baseExpected[page] = expected[page] as number;
  told.toldCount[page] = (told.toldCount[page] as number) + sure;
}

/** Terms of the sum beyond which nothing is left to add: nobody waits for that many signals in a row. */
const TERMS = 8;

/**
 * λ·E[T](ι): changes expected until the page is as doubtful again as it is now. Doubt ι = −ln P(unchanged) grows by
 * unreported changes, (1 − r)·λ, and by −ln(1 − q) with each signal, which come at λ·r/q. So
 * λ·E[T] = (q/r) Σ_n P(Poisson((r/q)·(ι − n·β)/(1 − r)) > n), β = −ln(1 − q). Without signals it is ι.
 */
export function changesUntil(doubt: number, recall: number, precision: number): number {
  const sure = Math.min(SUREST, precision);
  if (!(recall > 0.001 && sure > 0.001)) return doubt;
  const told = Math.min(SUREST, recall);
  const step = -Math.log1p(-sure);
  const pace = told / sure;
  let sum = 0;
  for (let n = 0; n < TERMS; n++) {
    const left = doubt - n * step;
    if (!(left > 0)) break;
    const mean = (pace * left) / (1 - told);
    // P(N > n) = 1 − Σ_{i ≤ n} mean^i e^{−mean} / i!
    let term = Math.exp(-mean);
    let below = term;
    for (let i = 1; i <= n; i++) {
      term *= mean / i;
      below += term;
    }
    sum += Math.max(0, 1 - below);
  }
  return Math.min(doubt, sum / pace);
}
