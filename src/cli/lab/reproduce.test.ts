import { describe, expect, test } from 'vitest';
import { EXPERIMENTS } from '../../lab/reproduce/index.ts';
import type { PaperExperiment } from '../../lab/reproduce/paper-experiment.ts';
import { figureSvg } from './figure.ts';
import { plotOptions } from './plot-options.ts';
import { chooseExperiments, csv } from './reproduce.ts';
import { reproducePage } from './reproduce-page.ts';

const EXPERIMENT: PaperExperiment = {
  name: 'x-fig-1',
  title: 'Less < more',
  paper: 'X 2000',
  figure: 'Fig. 1',
  method: 'As "they" did.',
  statements: ['a & b'],
  run: async () => ({ kind: 'skipped', reason: 'not now' }),
};

describe('chooseExperiments', () => {
  test.each([
    [['sharc-table-4'], ['sharc-table-4']],
    [
      ['sharc-worst-case', 'sharc-fig-4'],
      ['sharc-fig-4', 'sharc-worst-case'],
    ],
  ])('%j => %j, in the order of the list', (names, expected) => {
    expect(chooseExperiments(EXPERIMENTS, names).map(({ name }) => name)).toEqual(expected);
  });

  test('a paper => all of its experiments; all => more; an unknown name is refused', () => {
    const sharc = chooseExperiments(EXPERIMENTS, ['sharc']);
    expect(sharc.length).toBe(9);
    expect(chooseExperiments(EXPERIMENTS, ['all']).length).toBeGreaterThanOrEqual(sharc.length);
    expect(() => chooseExperiments(EXPERIMENTS, ['sharc', 'shark'])).toThrow(
      "no experiment is named 'shark'",
    );
  });
});

test('rows => CSV with the columns of the first, quoted where needed, nothing for what is not known', () => {
  expect(
    csv([
      { a: 'x, y', b: 1.5 },
      { a: 'say "no"', b: undefined },
    ]),
  ).toBe('a,b\n"x, y",1.5\n"say ""no""",\n');
});

describe('reproducePage', () => {
  const settings = { seed: 3, quick: true };

  test('skipped => the reason and what the paper says, escaped', async () => {
    const outcome = await EXPERIMENT.run({ ...settings, progress: () => undefined });
    const page = reproducePage([{ experiment: EXPERIMENT, outcome, figures: [] }], settings);
    expect(page).toContain('Less &lt; more');
    expect(page).toContain('skipped: not now');
    expect(page).toContain('<li>a &amp; b</li>');
    expect(page).toContain('Quick run');
  });

  test('measured => verdicts beside statements, drawings inline, links to the files', () => {
    const plot = {
      title: 'Lines',
      x: 'time',
      y: 'blur',
      kind: 'lines' as const,
      series: [
        {
          name: 'one',
          points: [
            { x: 0, y: 1, interval: [0.5, 1.5] as const },
            { x: 1, y: 2 },
          ],
        },
      ],
    };
    const svg = figureSvg(plotOptions(plot), { title: plot.title });
    const outcome = {
      kind: 'measured' as const,
      rows: [{ a: 1 }],
      text: [],
      data: {},
      plots: [plot],
      findings: [{ statement: 'a & b', holds: 'does not hold' as const, ours: '0.5 < 1' }],
    };
    const figures = [{ file: 'x-fig-1.svg', svg }];
    const page = reproducePage([{ experiment: EXPERIMENT, outcome, figures }], settings);
    expect(page).toContain('<td class="verdict not">does not hold</td><td>0.5 &lt; 1</td>');
    expect(page).toContain('href="x-fig-1.csv"');
    expect(page).toContain(svg.trim());
    // The legend is part of the drawing.
    expect(svg).toMatch(/>one<\/text>/);
  });
});

test('bars => one bar a name, whiskers where there is an interval', () => {
  const svg = figureSvg(
    plotOptions({
      title: 'Bars',
      x: '',
      y: 'pages',
      kind: 'bars',
      series: [
        {
          name: 's',
          points: [
            { x: 'first', y: 3, interval: [2, 4] as const },
            { x: 'second', y: 4 },
          ],
        },
      ],
    }),
    { title: 'Bars' },
  );
  expect(svg.match(/<rect /g)).toHaveLength(2);
  expect(svg).toContain('>second</text>');
  expect(svg).toMatch(/aria-label="link"/);
});

test('a scale by powers => ticks as numbers, not as thousandths of them', () => {
  const points = [0.02, 0.2, 0.9].map((y, x) => ({ x, y }));
  const plot = {
    title: 'Log',
    x: 'x',
    y: 'y',
    kind: 'lines',
    logY: true,
    series: [{ name: 's', points }],
  } as const;
  const svg = figureSvg(plotOptions(plot), { title: 'Log' });
  expect(svg).toContain('>0.1</text>');
  expect(svg).not.toMatch(/>\d+m<\/text>/);
});
