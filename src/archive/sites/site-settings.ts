import { z } from 'zod';
import { readSitePart, type SiteRule } from '../../model/site-bounds.ts';

const EXAMPLE = 'such as example.org, example.org/group/x or example.org/~*';

const part = z.string(`expected a host or a directory, ${EXAMPLE}`).transform((text, context) => {
  const read = readSitePart(text);
  if (read !== undefined) return read;
  context.addIssue({
    code: 'custom',
    message: `'${text}' is neither a host nor a directory, ${EXAMPLE}; * stands at the end alone`,
  });
  return z.NEVER;
});

/** A directory, or a list of what forms one site. */
const rule = z
  .union([z.string().transform((text) => [text]), z.array(z.string())], {
    error: () => `expected a directory, or a list of hosts and directories that are one site, ${EXAMPLE}`,
  })
  .pipe(z.array(part))
  .superRefine((parts, context) => {
    const fail = (message: string): void => context.addIssue({ code: 'custom', message });
    const [only = ''] = parts;
    if (parts.length === 0) fail('an empty list makes no site');
    else if (parts.length > 1 && parts.some((one) => one.endsWith('*')))
      fail('* makes many sites, and a list is one: give them lines of their own');
    else if (parts.length === 1 && !only.includes('/'))
      fail(`${only} is a site already, as every host: name a directory of it, or other hosts beside it`);
  });

/** The key `sites` of a configuration file. Rules are normalised. */
export const SITE_RULES = z
  .array(rule, `expected a list of rules, such as '- [www.example.org, shop.example.org]'`)
  .superRefine((rules, context) => {
    const seen = new Set<string>();
    rules.forEach((parts, index) => {
      for (const one of parts) {
        if (seen.has(one))
          context.addIssue({ code: 'custom', path: [index], message: `${one} is in a rule already` });
        seen.add(one);
      }
    });
  })
  .transform((rules): readonly SiteRule[] => rules);

/** A file for site rules alone. It may contain settings of crawls too, which are for `archive`. */
export const SITE_FILE = z.looseObject(
  { sites: SITE_RULES },
  { error: () => "expected 'sites:' with a list of rules" },
);
