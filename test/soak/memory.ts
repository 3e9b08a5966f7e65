import { readFileSync } from 'node:fs';

/** Resident memory of a process in MB; undefined where the system does not tell, or the process is gone. */
export function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const line = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
}

const BARS = '▁▂▃▄▅▆▇█';

/** Samples in their order as one line of bars from 0 to the largest. */
export function sparkline(samples: readonly number[], width = 60): string {
  const most = Math.max(1, ...samples);
  const columns = Math.min(width, samples.length);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * samples.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * samples.length) / columns));
    const part = samples.slice(from, to);
    const mean = part.reduce((a, b) => a + b, 0) / part.length;
    return BARS[Math.min(BARS.length - 1, Math.floor((mean / most) * BARS.length))];
  }).join('');
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Median of the last third over the median of the middle third; the first third is warming up. */
export function growth(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3);
  return median(samples.slice(2 * third)) / median(samples.slice(third, 2 * third));
}
