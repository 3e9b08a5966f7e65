/** Milliseconds of processor time, as the machine may be doing other work. */
export function cpu<T>(run: () => T): { readonly result: T; readonly milliseconds: number } {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1000 };
}

/** The minimum over several runs: anything else in this process, such as the collector, only adds to it. */
export function leastCpu<T>(
  runs: number,
  run: () => T,
): { readonly result: T; readonly milliseconds: number } {
  let best = cpu(run);
  for (let k = 1; k < runs; k++) {
    const next = cpu(run);
    if (next.milliseconds < best.milliseconds) best = next;
  }
  return best;
}
