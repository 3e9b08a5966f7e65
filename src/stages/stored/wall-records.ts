import { type Body, memoryBody } from '../../model/body.ts';
import type { DerivedRecord } from '../../model/capture.ts';
import { notThePageUri, wallAnswerUri } from '../../model/derived-uris.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type CaptureFault, isNotThePage } from '../../model/fault.ts';

/** Content of the `urn:not-the-page:` record: what was judged not to be the page, and why. */
export interface NotThePageFact {
  readonly url: string;
  readonly at: number;
  readonly kind: string;
  readonly evidence: string;
  readonly status: number;
  readonly title: string;
}

/**
 * Whether the answer is not a capture of the page although its status says so: a wall, or a server that says in words that
 * it is too busy. With a status of 400 or above it is stored as it came: no reader takes that for the page.
 */
export const isKeptApart = ({ kind }: CaptureFault, status: number): boolean =>
  status < 400 && (isNotThePage(kind) || kind === 'server-busy');

/**
 * The records of an answer that is not the page: the evidence, and the answer byte for byte, so that a wrong verdict loses
 * nothing. A `response` record with the page's own address would be a version of it for every tool that reads the file.
 */
export function wallRecords(
  exchange: Exchange,
  fault: CaptureFault,
  title: string,
): readonly DerivedRecord[] {
  const { url, startedAt, response } = exchange;
  const fact: NotThePageFact = {
    url,
    at: startedAt,
    kind: fault.kind,
    evidence: fault.message,
    status: response.status,
    title,
  };
  return [
    {
      uri: wallAnswerUri(url),
      contentType: 'application/http; msgtype=response',
      body: joined(response.head, response.body),
    },
    {
      uri: notThePageUri(url),
      contentType: 'application/json',
      body: memoryBody(new TextEncoder().encode(JSON.stringify(fact))),
    },
  ];
}

/** As it was on the wire. */
function joined(head: Uint8Array, body: Body): Body {
  return {
    size: head.byteLength + body.size,
    bytes: undefined,
    async *chunks() {
      yield head;
      yield* body.chunks();
    },
    // Released with its exchange.
    release: async () => {},
  };
}
