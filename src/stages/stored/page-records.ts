import { memoryBody } from '../../model/body.ts';
import type { DerivedRecord, PageInfo } from '../../model/capture.ts';
import { type Exchange, mediaType } from '../../model/exchange.ts';
import type { Rendering } from '../../ports/renderer.ts';

const encoder = new TextEncoder();

/** The derived records of a page event, the page info last: it closes the event. */
export function pageRecords(
  info: PageInfo,
  rendering: Pick<Rendering, 'view' | 'thumbnail' | 'fullView' | 'text'> | undefined,
  analysed: readonly DerivedRecord[] = [],
): readonly DerivedRecord[] {
  const records: DerivedRecord[] = [];
  const add = (kind: string, contentType: string, bytes: Uint8Array): void => {
    records.push({ uri: `urn:${kind}:${info.url}`, contentType, body: memoryBody(bytes) });
  };
  if (rendering?.view) add('view', rendering.view.contentType, rendering.view.bytes);
  if (rendering?.thumbnail) add('thumbnail', rendering.thumbnail.contentType, rendering.thumbnail.bytes);
  if (rendering?.fullView) add('fullPage', rendering.fullView.contentType, rendering.fullView.bytes);
  if (rendering) add('text', 'text/plain; charset=utf-8', encoder.encode(rendering.text));
  records.push(...analysed);
  add('pageinfo', 'application/json', encoder.encode(JSON.stringify(info)));
  return records;
}

export function resourceList(exchanges: readonly Exchange[]): PageInfo['resources'] {
  const list: Record<string, { status: number; mime: string; type: string }> = {};
  for (const { url, response, resourceType } of exchanges) {
    list[url] = { status: response.status, mime: mediaType(response.headers), type: resourceType ?? 'other' };
  }
  return list;
}
