import { textOf } from '../../model/body.ts';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import { isPrivate } from '../../model/private-capture.ts';
import type { WaczPage } from '../../warc/wacz/pages-file.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** Pages listed at once. */
const PAGE = 500;

/** One line per capture of a page. */
export async function* pageCaptures(
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
  isWanted: (fact: CaptureFact) => boolean,
): AsyncGenerator<WaczPage> {
  for (let offset = 0; ; offset += PAGE) {
    const pages = await catalog.pages({ limit: PAGE, offset });
    for (const { url, title } of pages) {
      const facts: CaptureFact[] = [];
      let hasPrivate = false;
      for await (const fact of catalog.captures({ url })) {
        hasPrivate ||= isPrivate(fact);
        if (fact.type !== 'resource' && isWanted(fact)) facts.push(fact);
      }
      for (const fact of facts) {
        const { recordId, at, status, mime, digest, file: inFile, offset: from } = fact;
        yield {
          // ARC records have no ids.
          id: recordId.replace(/[<>]|urn:uuid:/g, '') || `${inFile}-${from}`,
          url,
          // The last title may be one that only a private visit saw.
          title: hasPrivate ? await titleOf(fact, { catalog, reader }) : title,
          at,
          status,
          mime,
          size: digest.size,
        };
      }
    }
    if (pages.length < PAGE) return;
  }
}

/** From the page info of the same visit. */
async function titleOf(
  { url, at, file, eventId }: CaptureFact,
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
): Promise<string> {
  for await (const fact of catalog.captures({ url: pageInfoUri(url), from: at, to: at })) {
    if (fact.file !== file || fact.eventId !== eventId) continue;
    const text = await textOf((await reader.read(fact)).payload);
    return (JSON.parse(text) as Pick<PageInfo, 'title'>).title;
  }
  return '';
}
