import { postToGetUrl } from 'warcio/utils';
import type { HeaderList } from '../model/exchange.ts';
import { header } from '../model/exchange.ts';

/** Longest request body, as a query, that goes into an index key: the limit of warcio and cdxj-indexer. */
const MAX_QUERY = 4096;

/** The body of a non-GET request as the query that pywb and wabac.js put into its key; '' for none. */
export function requestQuery(method: string, headers: HeaderList, body: Uint8Array): string {
  if (method === 'GET' || method === '') return '';
  const request = {
    url: '',
    method,
    headers: new Map([['content-type', header(headers, 'content-type') ?? '']]),
    postData: body,
  };
  // warcio's own function, so that the keys are the ones other tools look for.
  postToGetUrl(request, MAX_QUERY);
  return (request as { requestBody?: string }).requestBody ?? '';
}
