import { expect, test } from 'vitest';
import { drawPage } from '../../../test/drawn-page.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { VI_DIFF_EXPERIMENTS } from './index.ts';
import type { ShownPages } from './shown-pages.ts';

/** Sections with a headline and some paragraphs; each version adds one word to each headline. */
const snapshot = (sections: number, version: number): PageSnapshot =>
  drawPage({
    box: [0, 0, 1280, sections * 200],
    children: Array.from({ length: sections }, (_, i) => ({
      tag: 'section',
      box: [0, i * 200, 1280, 190] as const,
      children: [
        {
          tag: 'h2',
          box: [0, i * 200, 1280, 30] as const,
          children: [`Headline ${i} ${'again '.repeat(version)}`],
        },
        { tag: 'p', box: [0, i * 200 + 40, 1280, 100] as const, children: [`What section ${i} has to say.`] },
      ],
    })),
  });

const PAGES: ShownPages = {
  bySize: async function* (count) {
    for (let k = 1; k <= count; k++) {
      const sections = 5 * k;
      yield {
        page: `p${k}`,
        version: '1',
        htmlBytes: 30_000 * k,
        renderMilliseconds: 100 * k,
        snapshot: snapshot(sections, 1),
      };
    }
  },
  versions: async function* (most) {
    for (const page of ['a', 'b'])
      for (let k = 0; k < most; k++)
        yield {
          page,
          version: `2022010${k + 1}T000000Z`,
          url: `https://${page}.example/`,
          snapshot: snapshot(8, k),
          scripts: true,
        };
  },
};

test.each(VI_DIFF_EXPERIMENTS.map((each) => [each.name, each] as const))(
  '%s, quick, on drawn pages => rows of numbers, figures and a finding for each statement',
  async (_, each) => {
    const outcome = await each.run({ seed: 1, quick: true, pages: PAGES, progress: () => undefined });
    if (outcome.kind === 'skipped') throw new Error(outcome.reason);
    expect(outcome.rows.length).toBeGreaterThan(1);
    for (const row of outcome.rows)
      for (const value of Object.values(row))
        if (typeof value !== 'string') expect(Number.isFinite(value)).toBe(true);
    expect(outcome.findings.map(({ statement }) => statement)).toEqual(each.statements);
    for (const { ours } of outcome.findings) expect(ours).not.toMatch(/NaN|undefined/);
  },
);

test('rendering that takes three times as long on large pages => "almost constant" does not hold', async () => {
  const fig8 = VI_DIFF_EXPERIMENTS.find(({ name }) => name === 'vi-diff-fig-8');
  const outcome = await fig8?.run({ seed: 1, quick: true, pages: PAGES, progress: () => undefined });
  expect(outcome).toMatchObject({ findings: [{ holds: 'does not hold' }, {}, {}] });
});
