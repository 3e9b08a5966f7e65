import { expect, it } from 'vitest';
import { readExperiment } from './results.ts';

it('a result of the lab => findings and plots; hostile or broken points are left out', () => {
  const read = readExperiment(
    JSON.stringify({
      ...{ name: 'near-table-2', title: 'T', paper: 'P', figure: 'Table 2' },
      findings: [{ statement: 'a < b', holds: 'holds', ours: '0.1 < 0.2' }],
      plots: [
        {
          title: 'p',
          x: 'days',
          y: 'share',
          kind: 'bars',
          series: [{ name: 's', points: [{ x: 1, y: 2 }, { x: {}, y: 1 }, null] }],
        },
      ],
    }),
  );
  expect(read?.findings[0]?.holds).toBe('holds');
  expect(read?.plots[0]?.spec).toMatchObject({
    kind: 'figure',
    shape: 'bar',
    x: 'days',
    series: [{ points: [{ x: 1, y: 2 }] }],
  });
});

it('other files => undefined', () => {
  for (const other of ['', '[]', 'null', '{"name":"x"}', '{"name":5,"findings":[]}'])
    expect(readExperiment(other)).toBeUndefined();
});
