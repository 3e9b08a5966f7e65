import { expect, it } from 'vitest';
import { attentionOf, combine } from './combine.ts';
import type { Finding, FindingKind } from './finding.ts';
import { SALIENCE_WEIGHTS } from './fitted-weights.generated.ts';
import { CEILINGS } from './salience-weights.ts';

const look = { depth: 0, type: 2, level: 1, isLead: false };
const finding = (kind: FindingKind, more: Partial<Finding> = {}): Finding => ({
  operation: 0,
  kind,
  look,
  untold: 5,
  isGone: false,
  ...more,
});
const of = (...findings: Finding[]) => combine(findings, SALIENCE_WEIGHTS);

it('no finding => 0', () => expect(of().salience).toBe(0));

it('1 − Π (1 − share) over all findings => the salience, ceilings or not', () => {
  const kinds = Object.keys(SALIENCE_WEIGHTS.kinds) as FindingKind[];
  const { salience, shares } = of(...kinds.flatMap((kind) => [finding(kind), finding(kind, { untold: 1 })]));
  expect(1 - shares.reduce((kept, share) => kept * (1 - share), 1)).toBeCloseTo(salience, 12);
});

it.each(Object.entries(CEILINGS) as [FindingKind, number][])(
  '10,000 of kind %s => at most %f',
  (kind, ceiling) => {
    const many = Array.from({ length: 10_000 }, () => finding(kind));
    expect(of(...many).salience).toBeLessThanOrEqual(ceiling + 1e-12);
    expect(of(...many).salience).toBeGreaterThan(of(finding(kind)).salience);
  },
);

it('further down, smaller type, lesser block => less attention', () => {
  const at = (more: Partial<typeof look>): number =>
    attentionOf({ look: { ...look, ...more } }, SALIENCE_WEIGHTS);
  expect(at({})).toBe(1);
  for (const less of [at({ depth: 1 }), at({ type: 1 }), at({ level: 0.1 })]) {
    expect(less).toBeGreaterThan(0);
    expect(less).toBeLessThan(1);
  }
});

it('replaced lead > new story > changed headline > new teaser > picture alone > order', () => {
  const { kinds } = SALIENCE_WEIGHTS;
  const order = ['lead', 'story', 'headline', 'teaser', 'picture', 'order'] as const;
  const worths = order.map((kind) => kinds[kind]);
  expect(worths).toEqual(worths.toSorted((a, b) => b - a));
  expect(new Set(worths).size).toBe(worths.length);
  for (const small of ['volatile', 'advertisement', 'shape'] as const) {
    expect(kinds[small]).toBeLessThan(kinds.order / 2);
  }
});
