import { type LinkGraph, linkGraph } from '../../src/science/importance/link-graph.ts';

/** Pages that link to a few others each, some to none; low numbers are linked more often, as on the web. */
export function randomGraph(random: () => number, pages: number, linksPerPage = 4): LinkGraph {
  const [from, to]: [number[], number[]] = [[], []];
  for (let page = 0; page < pages; page++) {
    if (random() < 0.1) continue;
    const links = 1 + Math.floor(random() * 2 * linksPerPage);
    for (let k = 0; k < links; k++) {
      from.push(page);
      to.push(Math.floor(pages * random() ** 2));
    }
  }
  return linkGraph(pages, from, to);
}
