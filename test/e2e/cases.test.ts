import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/model/body.ts';
import type { PageInfo } from '../../src/model/capture.ts';
import { header } from '../../src/model/exchange.ts';
import type { SeenExchange } from '../sites/cases/case-server.ts';
import { CASES, type CaseSite, startCaseSite } from '../sites/cases/cases.ts';
import {
  collect,
  complaints,
  daguerre,
  eachRecord,
  type Finished,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';

/** One answer as it is stored: of a revisit record, only that it is there. */
interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly requestBody: Buffer;
  readonly body: Buffer | undefined;
  /** The browser undid the content coding. */
  readonly isDecoded: boolean;
  readonly truncated: string | undefined;
}

let site: CaseSite;
let archive: string;
let run: Finished;
const recorded: Recorded[] = [];
const infos = new Map<string, PageInfo>();
const texts = new Map<string, string>();
/** Everything that is told of what is not stored: facts of pages, losses, skips. */
let told = '';

beforeAll(async () => {
  site = await startCaseSite();
  archive = await temporaryFolder();
  const options = ['--archive', archive, '--allow-private', '--delay', '0', '--attempts', '1', '--json'];
  run = await daguerre(['archive', `${site.home.url}/`, ...options]);
  const requests = new Map<string, { method: string; body: Buffer }>();
  const answers: (Omit<Recorded, 'method' | 'requestBody'> & { id: string; concurrentTo: string })[] = [];
  await eachRecord(archive, async ({ type, url, id, fields, httpHead, payload }) => {
    const bytes = Buffer.concat(await collect(payload.chunks()));
    const concurrentTo = header(fields, 'warc-concurrent-to') ?? '';
    if (type === 'request' && httpHead?.kind === 'request')
      requests.set(concurrentTo, { method: httpHead.method, body: bytes });
    else if ((type === 'response' || type === 'revisit') && httpHead?.kind === 'response')
      answers.push({
        id,
        url,
        concurrentTo,
        status: httpHead.status,
        body: type === 'response' ? bytes : undefined,
        isDecoded: header(httpHead.headers, 'x-orig-content-encoding') !== undefined,
        truncated: header(fields, 'warc-truncated'),
      });
    else if (url.startsWith('urn:pageinfo:'))
      infos.set(url.slice(13), JSON.parse(bytes.toString()) as PageInfo);
    else if (url.startsWith('urn:text:')) texts.set(url.slice(9), await textOf(payload));
  });
  for (const { id, concurrentTo: _, ...answer } of answers) {
    const request = requests.get(id);
    recorded.push({
      ...answer,
      method: request?.method ?? '?',
      requestBody: request?.body ?? Buffer.alloc(0),
    });
  }
  const skips = await withCatalog(archive, (catalog) => catalog.skips({ crawlId: 1, limit: 1000 }));
  told = JSON.stringify([[...infos.values()].map(({ facts, lost }) => [facts, lost]), skips]);
}, 240_000);
afterAll(() => site.close());

const everything = (): readonly SeenExchange[] => [...site.home.seen, ...site.other.seen];
const nameOf = ({ method, url, status }: { method: string; url: string; status: number }) =>
  `${method} ${url.replace(site.home.url, '').replace(site.other.url, 'other:')} ${status}`;

describe('one page for each case', () => {
  it('every page => captured, and whole once what it waited for had come', async () => {
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ state: 'finished', failed: 0, pending: 0 });
    const whole = CASES.filter((name) => /(?:^|\s)whole/.test(texts.get(`${site.home.url}/${name}`) ?? ''));
    expect(whole).toEqual([...CASES]);
    expect(await complaints(archive)).toEqual([]);
  });

  it('every exchange that the servers saw => recorded, as often as it took place', () => {
    const count = (names: readonly string[]) => {
      const counts: Record<string, number> = {};
      for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    };
    expect(count(recorded.map(nameOf))).toEqual(count(everything().map(nameOf)));
  });

  it('what was sent => in the records byte for byte, without its content coding where a browser undid it', () => {
    const wrong: string[] = [];
    for (const answer of recorded) {
      const candidates = everything().filter((seen) => nameOf(seen) === nameOf(answer));
      const isSame = ({ sent, content, requestBody }: SeenExchange): boolean =>
        (answer.body === undefined || answer.body.equals(answer.isDecoded ? content : sent)) &&
        requestBody.equals(answer.requestBody);
      // The browser keeps what a redirect says beside its address to itself: a fact of the page.
      const isNamed = answer.body?.length === 0 && told.includes(answer.url);
      if (!candidates.some(isSame) && !isNamed) wrong.push(nameOf(answer));
    }
    expect(wrong).toEqual([]);
  });

  it('answers that were cut => marked, and no others', () => {
    const cut = recorded.filter(({ truncated }) => truncated !== undefined);
    expect(cut.map(({ truncated }) => truncated)).toEqual(cut.map(() => 'disconnect'));
    expect(cut.map(nameOf).toSorted()).toEqual(
      everything()
        .filter(({ isCut }) => isCut)
        .map(nameOf)
        .toSorted(),
    );
  });

  it('what came from no server, or was not opened => named', () => {
    for (const path of ['/service-worker/made.txt', '/popups/opened'])
      expect(told).toContain(site.home.url + path);
    expect(told).toContain(`${site.other.url}/advertisement`);
  });
});
