// Crawls every page of a site with crawlee and Chromium, storing nothing.
// node crawlee-rendered.mjs <url> <concurrency> <path of Chromium>
import { MemoryStorage } from '@crawlee/memory-storage';
import { Configuration, LogLevel, log, PlaywrightCrawler } from '@crawlee/playwright';

const [url, concurrency, executablePath] = process.argv.slice(2);
log.setLevel(LogLevel.WARNING);
const configuration = new Configuration({
  persistStorage: false,
  storageClient: new MemoryStorage({ persistStorage: false, writeMetadata: false }),
  maxUsedCpuRatio: 1,
  availableMemoryRatio: 0.9,
});
let pages = 0;
const crawler = new PlaywrightCrawler(
  {
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    useSessionPool: false,
    persistCookiesPerSession: false,
    maxRequestRetries: 0,
    // Made-up fingerprints cost time, and Daguerre does not disguise itself.
    browserPoolOptions: { useFingerprints: false },
    launchContext: { launchOptions: { executablePath, headless: true, args: ['--no-sandbox'] } },
    async requestHandler({ enqueueLinks }) {
      pages++;
      await enqueueLinks();
    },
  },
  configuration,
);
await crawler.run([url]);
process.stdout.write(`${JSON.stringify({ pages })}\n`);
