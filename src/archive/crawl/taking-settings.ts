import { z } from 'zod';
import { type BlockRule, REQUEST_TYPES } from '../../model/block-rule.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import { parseLinkSelector } from '../../model/link-selector.ts';
import { pastMoment } from '../given/moment-schema.ts';
import { UserError } from '../user-error.ts';
import { list, patterns } from './setting-kinds.ts';

/**
 * What is taken from the web besides scope and limits: links, dates of sitemaps, what pages load, and which answers
 * count.
 */

const linkSelectors = list.superRefine((sources, context) => {
  for (const source of sources) {
    try {
      parseLinkSelector(source);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  }
});

const BLOCK_KEYS = {
  url: z.string('expected a regular expression').optional(),
  type: z.enum(['block', 'allowOnly'], "expected 'block' or 'allowOnly'").default('block'),
  inFrameUrl: z.string('expected a regular expression').optional(),
  resourceTypes: z
    .union(
      [z.enum(REQUEST_TYPES), z.array(z.enum(REQUEST_TYPES))],
      `expected any of: ${REQUEST_TYPES.join(', ')}`,
    )
    .transform((value) => [value].flat())
    .optional(),
};

const BLOCK_RULE = z.preprocess(
  (rule) => (typeof rule === 'string' ? { url: rule } : rule),
  z
    .strictObject(BLOCK_KEYS, {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? `unknown; a block rule takes: ${Object.keys(BLOCK_KEYS).join(', ')}`
          : `expected a regular expression, or: ${Object.keys(BLOCK_KEYS).join(', ')}`,
    })
    .superRefine((rule, context) => {
      for (const key of ['url', 'inFrameUrl'] as const) {
        const found = rule[key] === undefined ? undefined : patterns.safeParse(rule[key]);
        for (const { message } of found?.error?.issues ?? [])
          context.addIssue({ code: 'custom', message, path: [key] });
      }
      if (rule.url === undefined && rule.inFrameUrl === undefined && rule.resourceTypes === undefined)
        context.addIssue({
          code: 'custom',
          message: 'a block rule says what it blocks: give url, inFrameUrl or resourceTypes',
        });
    })
    .transform(
      ({ type, url, inFrameUrl, resourceTypes }): BlockRule => ({
        type,
        ...(url !== undefined && { url }),
        ...(inFrameUrl !== undefined && { inFrameUrl }),
        ...(resourceTypes && { resourceTypes }),
      }),
    ),
);

export const TAKING_SETTINGS = {
  selectLinks: linkSelectors
    .default([])
    .describe("what counts as a link, e.g. 'a.story->href' or '[data-url]->@data-url' (repeatable)"),
  sitemapFromDate: pastMoment('start')
    .optional()
    .describe('take no page from sitemaps that they date before, e.g. 2026-03-01, or 30d ago'),
  sitemapToDate: pastMoment('end').optional().describe('likewise, after'),
  blockRules: z
    .preprocess(
      (rules) => (rules === undefined ? undefined : [rules].flat()),
      z.array(BLOCK_RULE).default([]),
    )
    .describe(
      'regular expression of URLs that pages may not load (repeatable); by type and frame in the file (docs/configuration.md)',
    ),
  blockAds: z
    .boolean()
    .default(false)
    .describe('keep pages from loading advertisements, by the filter lists'),
  recogniseWalls: z
    .boolean()
    .default(true)
    .describe('tell answers that are not the page: walls against robots, captchas, logins, soft 404s'),
};

type TakingSettings = z.output<z.ZodObject<typeof TAKING_SETTINGS>>;

type TakingSpec = Pick<
  CrawlSpec,
  'selectLinks' | 'sitemapDates' | 'blockRules' | 'blockAds' | 'recogniseWalls'
>;

export function takingSpec(settings: TakingSettings): TakingSpec {
  const { selectLinks, sitemapFromDate: from, sitemapToDate: to, blockRules, blockAds } = settings;
  if (from !== undefined && to !== undefined && from > to)
    throw new UserError(
      '--sitemap-from-date is after --sitemap-to-date: no page would be taken from sitemaps',
    );
  return {
    ...(selectLinks.length > 0 && { selectLinks }),
    ...((from !== undefined || to !== undefined) && {
      sitemapDates: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
    }),
    ...(blockRules.length > 0 && { blockRules }),
    ...(blockAds && { blockAds }),
    ...(!settings.recogniseWalls && { recogniseWalls: false }),
  };
}
