import { parseXmlDocument } from 'slimdom';
import { expect, test } from 'vitest';
import { cut, element, page, uncut } from '../../../test/drawn-page.ts';
import type { Segment } from '../../model/layout.ts';
import { layoutOf } from './layout-of.ts';
import { layoutSvg } from './layout-svg.ts';

const OPTIONS = { version: 'v', segmenter: 's' };
const snapshot = page(
  element(
    'body',
    { box: [0, 0, 1280, 600] },
    element('div', { id: 'top', box: [0, 0, 1280, 100] }, 'News'),
    element('div', { id: 'main', box: [0, 100, 1280, 500] }, 'Story'),
  ),
);

test('two leaves => two coloured blocks with their refs, the larger one in the strongest colour', () => {
  const svg = layoutSvg(layoutOf(snapshot, cut(snapshot, ['top', 'main']), OPTIONS));
  const root = parseXmlDocument(svg).documentElement;
  expect(root?.getAttribute('viewBox')).toBe('0 0 1280 600');
  const labels = [...(root?.getElementsByTagName('text') ?? [])].map((text) => text.textContent);
  expect(labels).toEqual(['B1.1 · 16.7 %', 'B1.2 · 83.3 %']);
  const fills = [...(root?.getElementsByTagName('g') ?? [])].map((g) =>
    g.getElementsByTagName('rect')[0]?.getAttribute('fill'),
  );
  expect(fills).toEqual(['#414d6b', '#ffea46']);
});

test('a hostile title and screenshot address => escaped', () => {
  const layout = layoutOf({ ...snapshot, title: '</title><script>' }, uncut(snapshot), OPTIONS);
  const root = parseXmlDocument(layoutSvg(layout, { screenshot: 'a"b&.png' })).documentElement;
  expect(root?.getElementsByTagName('image')[0]?.getAttribute('href')).toBe('a"b&.png');
  expect(root?.getElementsByTagName('script')).toHaveLength(0);
});

test('an empty page and 50,000 blocks => drawn', () => {
  const empty = { ...snapshot, nodes: [], page: { width: 0, height: 0 } };
  expect(layoutSvg(layoutOf(empty, uncut(empty), OPTIONS))).toContain('viewBox="0 0 1 1"');
  const leaf: Segment = { box: [0, 0, 10, 10], doc: 10, nodes: [1], segments: [] };
  const segments = Array.from({ length: 50_000 }, () => leaf);
  const svg = layoutSvg(layoutOf(snapshot, { ...leaf, segments }, OPTIONS));
  expect(svg.split('<g>').length).toBe(50_001);
});
