import { expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { linkGraph, linksOf } from '../../science/importance/link-graph.ts';
import { rewired, webGraph } from './web-graph.ts';

const shape = { pages: 5000, sites: 200, linksPerPage: 10 };
const web = webGraph(shape, randomNumbers(1));

it('a shape => a graph as linkGraph would build it; the same seed, the same graph', () => {
  const { graph } = web;
  const [from, to]: [number[], number[]] = [[], []];
  for (let page = 0; page < graph.pages; page++) {
    for (const target of linksOf(graph, page)) {
      from.push(page);
      to.push(target);
    }
  }
  const again = linkGraph(graph.pages, from, to);
  expect([...again.offsets]).toEqual([...graph.offsets]);
  expect([...again.targets]).toEqual([...graph.targets]);
  expect(webGraph(shape, randomNumbers(1)).graph.targets).toEqual(graph.targets);
});

it('every site has pages, most links stay on the site, few pages have most links', () => {
  const { graph, siteOf, sites } = web;
  expect(new Set(siteOf).size).toBe(sites);
  const linked = new Int32Array(graph.pages);
  let inside = 0;
  for (let page = 0; page < graph.pages; page++) {
    for (const target of linksOf(graph, page)) {
      linked[target] = (linked[target] as number) + 1;
      if (siteOf[target] === siteOf[page]) inside++;
    }
  }
  const links = graph.targets.length;
  expect(links / graph.pages).toBeGreaterThan(5);
  expect(inside / links).toBeGreaterThan(0.5);
  expect(inside / links).toBeLessThan(0.85);
  const most = [...linked].sort((a, b) => b - a).slice(0, graph.pages / 100);
  expect(most.reduce((sum, one) => sum + one, 0) / links).toBeGreaterThan(0.15);
});

it('one page in four rewired => its links are those of the other graph', () => {
  const other = webGraph(shape, randomNumbers(2));
  const graph = rewired(web, other, 4);
  for (const page of [0, 1, 2, 3, 7, 4999])
    expect([...linksOf(graph, page)]).toEqual([...linksOf(page % 4 === 3 ? other.graph : web.graph, page)]);
});
