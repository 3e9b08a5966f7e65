import { z } from 'zod';
import { RENDER_MODES, SCOPE_TYPES, type ScopeSpec, type SeedScope } from '../../model/crawl.ts';
import { count, patterns } from './setting-kinds.ts';

export const SCOPE_KEYS = {
  scopeType: z.enum(SCOPE_TYPES),
  include: patterns,
  exclude: patterns,
  depth: count,
  extraHops: count,
};

const SEED_KEYS = {
  url: z.string('expected an address, such as https://example.org/'),
  scopeType: SCOPE_KEYS.scopeType.optional(),
  include: SCOPE_KEYS.include.optional(),
  exclude: SCOPE_KEYS.exclude.optional(),
  depth: SCOPE_KEYS.depth.optional(),
  extraHops: SCOPE_KEYS.extraHops.optional(),
  pageLimit: count.optional(),
  render: z.enum(RENDER_MODES).optional(),
};

/**
 * A seed is an address or, in the file, an address with settings of its own, which take precedence over those of
 * the crawl.
 */
export const SEED = z.preprocess(
  (seed) => (typeof seed === 'string' ? { url: seed } : seed),
  z.strictObject(SEED_KEYS, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `unknown; a seed takes: ${Object.keys(SEED_KEYS).join(', ')}`
        : `expected an address, or 'url: <address>' with: ${Object.keys(SEED_KEYS).slice(1).join(', ')}`,
  }),
);

/** Absent where the seed has no settings of its own. */
export function ownScope(
  { url, pageLimit, scopeType, render, ...own }: z.output<typeof SEED>,
  general: ScopeSpec,
): readonly SeedScope[] {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  if ([scopeType, pageLimit, render].every((value) => value === undefined) && Object.keys(given).length === 0)
    return [];
  return [
    {
      url,
      scope: { ...general, ...given, ...(scopeType !== undefined && { type: scopeType }) },
      ...(pageLimit !== undefined && { pages: pageLimit }),
      ...(render !== undefined && { render }),
    },
  ];
}
