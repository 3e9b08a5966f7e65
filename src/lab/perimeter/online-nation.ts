/** The perimeter as a crawl runs it, on an invented web: what is read is what was believed to belong, in the order it was found. */
import { Decisions } from '../../model/decisions.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { OnlinePerimeter } from '../../science/perimeter/online-perimeter.ts';
import { fScore } from './criteria-beside.ts';
import type { NationalWeb } from './national-web.ts';

export interface OnlineCrawl {
  readonly read: number;
  /** Of the pages judged to belong, those that do; of all that do, those read and judged so. */
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
}

export function crawlOnline(web: NationalWeb, definition: PerimeterDefinition): OnlineCrawl {
  const perimeter = new OnlinePerimeter(definition, new Decisions());
  const queue = web.seeds.map((url) => ({ url, hops: 0 }));
  for (const { url } of queue) perimeter.restoreJoined(web.suspectFacts(url));
  let [inside, right] = [0, 0];
  for (const { url, hops } of queue) {
    const page = web.pages.get(url);
    if (!page) continue;
    const links = web.links.get(url) ?? [];
    const { standing, joined } = perimeter.read({ facts: page.facts, links, hops }, web.suspectFacts, 0);
    // The list grows while it is gone through.
    queue.push(...joined);
    if (!standing.inside) continue;
    inside++;
    if (page.truth) right++;
  }
  const belong = [...web.pages.values()].filter(({ truth }) => truth).length;
  const [precision, recall] = [inside === 0 ? 0 : right / inside, belong === 0 ? 0 : right / belong];
  return { read: queue.length, precision, recall, f: fScore(precision, recall) };
}
