import { textOf } from '../model/body.ts';
import type { CaptureFact } from '../model/capture.ts';
import { isHtml } from '../model/exchange.ts';
import type { PageWords } from '../model/page-words.ts';
import type { CaptureCatalog, UncountedPage, WordCatalog } from '../ports/catalog.ts';
import type { LanguageIdentifier } from '../ports/language-identifier.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { type RecordReader, storedResponse } from '../ports/record-store.ts';
import type { WordReaders } from '../ports/word-readers.ts';
import { countWords, plainTokens } from '../science/importance/word-counts.ts';

export interface CountPorts {
  readonly catalog: Pick<CaptureCatalog, 'closest' | 'originalOf'> & WordCatalog;
  readonly reader: RecordReader;
  readonly pageReader: PageReader;
  readonly plainText: (html: string) => string;
  readonly identifier: LanguageIdentifier;
  readonly wordReaders: WordReaders;
}

export interface CountedPages {
  /** Pages whose words were counted, by language. */
  readonly counted: ReadonlyMap<string, number>;
  /** The same version as when they were last counted. */
  readonly unchanged: number;
  /** By language: pages for which there is no dictionary. */
  readonly withoutDictionary: ReadonlyMap<string, number>;
  /** Too little text to identify the language. */
  readonly tooShort: number;
  /** Not HTML, or an answer that says the page is not there. */
  readonly noText: number;
}

/** Pages written together. */
const BATCH = 100;

/** Stage: counts the words of pages archived since it last ran. */
export async function countPages(
  ports: CountPorts,
  onProgress?: (pages: number) => void,
): Promise<CountedPages> {
  const done = { counted: new Map<string, number>(), withoutDictionary: new Map<string, number>() };
  const few = { unchanged: 0, tooShort: 0, noText: 0 };
  let words: PageWords[] = [];
  let confirmed: { url: string; at: number }[] = [];
  let pages = 0;
  const flush = async (): Promise<void> => {
    if (words.length > 0) await ports.catalog.setPageWords(words);
    if (confirmed.length > 0) await ports.catalog.confirmPageWords(confirmed);
    words = [];
    confirmed = [];
    onProgress?.(pages);
  };
  for await (const page of ports.catalog.uncountedPages()) {
    pages++;
    const found = await wordsOf(page, ports);
    if (found === 'unchanged') {
      few.unchanged++;
      confirmed.push({ url: page.url, at: page.lastAt });
    } else {
      words.push(found ?? { url: page.url, at: page.lastAt, sha256: '', documentBytes: 0 });
      const into = found?.words ? done.counted : done.withoutDictionary;
      if (!found) few.noText++;
      else if (found.language === undefined) few.tooShort++;
      else into.set(found.language, (into.get(found.language) ?? 0) + 1);
    }
    if (words.length + confirmed.length >= BATCH) await flush();
  }
  await flush();
  return { ...done, ...few };
}

/** Undefined if there is no text. */
async function wordsOf(
  { url, lastAt, sha256: before }: UncountedPage,
  ports: CountPorts,
): Promise<PageWords | 'unchanged' | undefined> {
  const { catalog, reader, pageReader } = ports;
  const capture = await catalog.closest(url, lastAt);
  const original = capture && (await catalog.originalOf(capture));
  if (original?.status !== 200 || !isHtml(original.mime)) return undefined;
  const { sha256 } = original.digest;
  if (sha256 !== '' && sha256 === before) return 'unchanged';
  const response = storedResponse(await reader.read(original));
  if (!response) return undefined;
  const html = await pageReader.readSource({ url, response });
  if (html === undefined) return undefined;
  const text = (await renderedText(original, ports)) ?? ports.plainText(html);
  const language = ports.identifier.identify(text)?.code;
  const dictionary = language === undefined ? undefined : ports.wordReaders.of(language);
  const document = await pageReader.readBytes({ url, response }, Number.MAX_SAFE_INTEGER);
  return {
    url,
    at: lastAt,
    sha256,
    ...(language !== undefined && { language }),
    documentBytes: document?.byteLength ?? original.digest.size,
    ...(dictionary && { words: countWords(text, { ...dictionary, tokens: plainTokens }) }),
  };
}

/** What the browser showed of exactly that answer. */
async function renderedText(
  { url, at }: CaptureFact,
  { catalog, reader }: CountPorts,
): Promise<string | undefined> {
  const text = await catalog.closest(`urn:text:${url}`, at);
  return text?.at === at ? await textOf((await reader.read(text)).payload) : undefined;
}
