/** Which requests and responses the browser holds until they are dealt with. */
export interface FetchPattern {
  readonly urlPattern: string;
  readonly requestStage: 'Request' | 'Response';
  readonly resourceType?: 'Document' | 'Other';
}

/** Responses are always paused; requests only where they may be answered or stopped: documents, and icons (icon-requests.ts). */
export const FETCH_PATTERNS: readonly FetchPattern[] = [
  { urlPattern: '*', requestStage: 'Response' },
  { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
  { urlPattern: '*', resourceType: 'Other', requestStage: 'Request' },
];

/** For when rules may block what a page loads, or header fields are to be added. */
export const ALL_REQUESTS: readonly FetchPattern[] = [
  { urlPattern: '*', requestStage: 'Response' },
  { urlPattern: '*', requestStage: 'Request' },
];
