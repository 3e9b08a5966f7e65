/** What a page requests, in browsers' terms. */
export const REQUEST_TYPES = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'xhr',
  'fetch',
  'websocket',
  'other',
] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/**
 * A rule on what pages load, with Browsertrix's names and meanings. It never applies to a page itself: that is what
 * `exclude` is for.
 */
export interface BlockRule {
  /** Regular expression matched against URLs; every URL where absent. */
  readonly url?: string;
  /** `block`: what matches is not requested; `allowOnly`: nothing else is. */
  readonly type: 'block' | 'allowOnly';
  /** Only what is requested in a frame (or page) whose URL matches this regular expression. */
  readonly inFrameUrl?: string;
  /** Only requests of these types; `document` is what a frame shows. */
  readonly resourceTypes?: readonly RequestType[];
}

/** As shown in facts and reports. */
export function blockRuleWords({ url, type, inFrameUrl, resourceTypes }: BlockRule): string {
  const parts = [
    ...(type === 'allowOnly' ? ['allow only'] : []),
    url ?? (type === 'allowOnly' ? 'nothing' : 'everything'),
    ...(resourceTypes ? [`of type ${resourceTypes.join(', ')}`] : []),
    ...(inFrameUrl === undefined ? [] : [`in frames ${inFrameUrl}`]),
  ];
  return parts.join(' ');
}
