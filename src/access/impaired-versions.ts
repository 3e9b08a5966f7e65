import type { Visit } from '../model/crawl.ts';
import type { Millis } from '../model/time.ts';
import type { ResultCatalog } from '../ports/catalog.ts';

/** Enough for every archive we know: most have none. The newest are kept. */
const MOST = 10_000;

/** Tells of captures, by their page and time, what the visits that made them could not do; of one page, or of all. */
export async function impairedVersions(
  catalog: ResultCatalog,
  page?: string,
): Promise<(url: string, at: Millis) => Visit['fault']> {
  const of = page === undefined ? {} : { url: page };
  const visits = await catalog.visits({ ...of, impaired: true, limit: MOST });
  return (url, at) => {
    const made = visits.find((one) => one.url === url && one.at <= at && at <= one.at + one.duration);
    // The address stands beside it already.
    return made?.fault && { ...made.fault, detail: made.fault.detail.replace(` (${url})`, '') };
  };
}
