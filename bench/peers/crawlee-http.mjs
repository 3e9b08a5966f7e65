// Crawls every page of a site with crawlee, storing nothing.
// node crawlee-http.mjs cheerio|http <url> <concurrency>
import { CheerioCrawler } from '@crawlee/cheerio';
import { Configuration, HttpCrawler, LogLevel, log } from '@crawlee/http';
import { MemoryStorage } from '@crawlee/memory-storage';

const [kind, url, concurrency] = process.argv.slice(2);
log.setLevel(LogLevel.WARNING);
const configuration = new Configuration({
  persistStorage: false,
  storageClient: new MemoryStorage({ persistStorage: false, writeMetadata: false }),
  // A busy machine must not make it hold back: no other contestant does.
  maxUsedCpuRatio: 1,
  availableMemoryRatio: 0.9,
});
const options = {
  minConcurrency: Number(concurrency),
  maxConcurrency: Number(concurrency),
  useSessionPool: false,
  persistCookiesPerSession: false,
  maxRequestRetries: 0,
};
let pages = 0;

const crawler =
  kind === 'cheerio'
    ? new CheerioCrawler(
        {
          ...options,
          async requestHandler({ enqueueLinks }) {
            pages++;
            await enqueueLinks();
          },
        },
        configuration,
      )
    : new HttpCrawler(
        {
          ...options,
          // The leanest that crawlee can do: no tree, links by a regular expression.
          async requestHandler({ body, request, crawler }) {
            pages++;
            const links = new Set();
            for (const [, href] of body.toString().matchAll(/<a\s[^>]*?href="([^"#]+)/g))
              links.add(new URL(href, request.loadedUrl).href);
            await crawler.addRequests([...links]);
          },
        },
        configuration,
      );
await crawler.run([url]);
process.stdout.write(`${JSON.stringify({ pages })}\n`);
