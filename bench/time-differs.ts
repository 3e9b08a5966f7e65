/** Processor time of comparing layouts, with contestants taking turns. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Layout } from '../src/model/layout.ts';
import { parseViXml } from '../src/science/layout/vi-xml.ts';

export type Differ = (old: Layout, now: Layout) => unknown;

/** Vi-XML of an older and a newer version. */
export type XmlPair = readonly [old: string, now: string];

/** Written before timing starts: a line differ is not charged for it. */
const written = new WeakMap<Layout, string>();
export const xmlOf = (layout: Layout): string => written.get(layout) ?? '';

const parse = (xml: string): Layout => {
  const layout = parseViXml(xml);
  written.set(layout, xml);
  return layout;
};

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/**
 * Trees as a crawl has them: just parsed. They are moved to the old generation; otherwise the first allocations of the
 * contestant being timed would pay for that. Minor collections only: a full one discards compiled code.
 */
function parseAll(pairs: readonly XmlPair[]): (readonly [Layout, Layout])[] {
  const parsed = pairs.map(([old, now]) => [parse(old), parse(now)] as const);
  for (let i = 0; i < 2; i++) gc({ type: 'minor' });
  return parsed;
}

/** Microseconds of processor time. */
export function spent(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Seconds of processor time, by which V8 has compiled what it will. */
const WARM = 2;

/** With freshly parsed trees, as in the rounds: code compiled for strings seen before is discarded for fresh ones. */
export function warmUp(pairs: readonly XmlPair[], differ: Differ): void {
  for (let time = 0; time < WARM * 1e6; ) {
    const parsed = parseAll(pairs);
    time += spent(() => {
      for (const [old, now] of parsed) differ(old, now);
    });
  }
}

/** Microseconds per pair: one value per round, contestants taking turns. */
export function timeRounds(
  pairs: readonly XmlPair[],
  differs: ReadonlyMap<string, Differ>,
  rounds: number,
): Map<string, number[]> {
  const times = new Map<string, number[]>([...differs.keys()].map((name) => [name, []]));
  for (let turn = 0; turn < rounds; turn++) {
    for (const [name, differ] of differs) {
      const parsed = parseAll(pairs);
      const time = spent(() => {
        for (const [old, now] of parsed) differ(old, now);
      });
      times.get(name)?.push(time / pairs.length);
    }
  }
  return times;
}
