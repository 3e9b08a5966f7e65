/** Which requests and responses the browser holds until they are dealt with. */
export interface FetchPattern {
  readonly urlPattern: string;
  readonly requestStage: 'Request' | 'Response';
  readonly resourceType?: 'Document';
}

/** Responses are paused always, requests only where they may be answered or stopped: documents. */
export const FETCH_PATTERNS: readonly FetchPattern[] = [
  { urlPattern: '*', requestStage: 'Response' },
  { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
];

/** Where rules may block what a page loads, or header fields are to be put in. */
export const ALL_REQUESTS: readonly FetchPattern[] = [
  { urlPattern: '*', requestStage: 'Response' },
  { urlPattern: '*', requestStage: 'Request' },
];
