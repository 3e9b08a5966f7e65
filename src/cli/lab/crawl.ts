import { labPorts } from '../../archive/crawl/lab-ports.ts';
import { crawl } from '../../lab/crawl/crawl.ts';
import { WEB } from '../../lab/crawl/synthetic-web.ts';
import type { LabCrawlFlags } from '../commands/lab-crawl.ts';
import { showExperiment } from './show-experiment.ts';

export async function labCrawl(flags: LabCrawlFlags): Promise<void> {
  const {
    sites,
    pages,
    order: orders,
    revisit,
    delay,
    latency,
    workers,
    rates,
    history,
    every,
    seed,
  } = flags;
  const { hottest, hotPages } = flags;
  const input = {
    web: { ...WEB, sites, pages, latency, hottest, hotPages, seed },
    orders,
    settings: { revisit, delay, workers, rates, seed },
    history,
    every,
    ports: labPorts,
    realNow: () => performance.now(),
  };
  const settings = { sites, pages, revisit, delay, latency, rates, history, seed };
  await showExperiment(crawl, input, flags, { settings });
}
