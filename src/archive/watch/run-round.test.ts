import { expect, it } from 'vitest';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import type { LiveSite } from './live-site.ts';
import { roundSpec } from './run-round.ts';

const site = {
  settings: { spec: { ...SPEC, limits: { ...SPEC.limits, responseTime: 90_000 } } },
} as LiveSite;
const limits = (round: number) => roundSpec({ sites: [site] }, 'x', round).limits;

it('rounds of 10 s, 1 min and 15 min => one answer may take 5 s, 15 s, and what the settings say', () => {
  expect([10_000, 60_000, 900_000].map((round) => limits(round).responseTime)).toEqual([
    5_000, 15_000, 90_000,
  ]);
});
