import { isIPv4 } from 'node:net';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { IMPORTANCE_OF, type PerimeterSpec } from '../../model/perimeter.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { readConfig } from '../given/config-file.ts';
import { webAddress } from '../given/web-address.ts';
import { UserError } from '../user-error.ts';
import { FRENCH_WEB } from './french-web.ts';
import { perimeterDefinition } from './perimeter-definition.ts';

/** Log-odds beyond these are certainty, and certainty is what decisions are for. */
const MOST = 20;
const weight = z
  .number('expected a weight in log-odds, such as 2 or -1.5')
  .min(-MOST, `a weight is at least -${MOST}`)
  .max(MOST, `a weight is at most ${MOST}; for certainty, use in: or out:`);

/** Weights by outcome; keys are checked by hand, so that a complaint names the key and what would be accepted. */
const weights = (key: RegExp, accepted: string, exists: (name: string) => boolean = () => true) =>
  z
    .record(
      z.string(),
      weight,
      `expected weights by outcome, such as { ${accepted.split(' ')[0]}: 2, other: -1 }`,
    )
    .superRefine((table, context) => {
      for (const name of Object.keys(table)) {
        if (name !== 'other' && !key.test(name))
          context.addIssue({ code: 'custom', path: [name], message: `expected ${accepted}, or other` });
        else if (name !== 'other' && !exists(name))
          context.addIssue({
            code: 'custom',
            path: [name],
            message: `there is none of that name; expected ${accepted}`,
          });
      }
    });

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Refuses ZZ, which means an unknown region, and UK: lists of addresses say GB. */
const isCountry = (code: string): boolean =>
  code !== 'ZZ' && REGIONS.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;

/** By the public suffix list; names reserved for tests and home networks count too. For a server without a name, its address. */
function isDomain(domain: string): boolean {
  return isIPv4(domain) || webAddress(`example.${domain}`) !== undefined;
}

const languages = weights(/^[a-z]{2,3}$/, 'fr or another ISO 639 code in small letters');
const domains = weights(
  /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/,
  'fr, gouv.fr or another domain or public suffix in small letters, without a dot before it',
  isDomain,
);
const countries = weights(/^[A-Z]{2}$/, 'FR or another ISO 3166 code in capitals', isCountry);

const DECISION = 'a decision takes: target, by, why, all of them texts';
const said = z.string(DECISION);
const decisions = z
  .array(
    z.strictObject({ target: said, by: said, why: said }, { error: () => DECISION }),
    'expected a list of decisions',
  )
  .default([]);

const PERIMETER_KEYS = {
  prior: weight.default(0),
  languages: languages.default({}),
  domains: domains.default({}),
  countries: countries.default({}),
  owners: z
    .strictObject(
      { file: z.string('expected a file of domain and country, tab-separated'), weights: countries },
      { error: () => 'owners takes: file (domain and country, tab-separated), weights' },
    )
    .optional(),
  addresses: z.string('expected a file of addresses and countries, tab-separated').optional(),
  topics: z
    .record(
      z.string(),
      z.strictObject(
        { words: z.array(z.string()).min(1, 'expected at least one word'), weight },
        { error: () => 'a topic takes: words (a list), weight' },
      ),
      'expected topics by name',
    )
    .default({}),
  commercial: weight.default(0),
  connectivity: z
    .array(weight, 'expected weights by clicks, such as [1, 0.5]')
    .max(5, 'at most five clicks')
    .default([]),
  threshold: z
    .number('expected a chance, such as 0.5')
    .gt(0, 'a chance above 0 and below 1')
    .lt(1, 'a chance above 0 and below 1')
    .default(0.5),
  importance: z.enum(IMPORTANCE_OF, `expected one of: ${IMPORTANCE_OF.join(', ')}`).default('web'),
  in: decisions,
  out: decisions,
};

const PERIMETER = z.strictObject(PERIMETER_KEYS, {
  error: ({ code }) =>
    code === 'unrecognized_keys'
      ? `unknown; a perimeter takes: ${Object.keys(PERIMETER_KEYS).join(', ')}`
      : 'expected the settings of a perimeter',
});

/** Names are never used as file names, but are in every row of the catalog. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The key `perimeters` of a configuration file: perimeters by name. */
export const PERIMETER_TABLE = z
  .record(z.string(), PERIMETER, 'expected perimeters by name')
  .superRefine((table, context) => {
    for (const name of Object.keys(table))
      if (!NAME.test(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'a name has letters, digits, dot, dash and underscore only',
        });
  });

const PERIMETERS = z.strictObject(
  { perimeters: PERIMETER_TABLE },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'unknown; accepted: perimeters'
        : "expected 'perimeters:' with at least one name",
  },
);

export type PerimeterTable = z.output<typeof PERIMETER_TABLE>;

/** Always available; a configuration file may redefine the name. */
const BUILT_IN = PERIMETER_TABLE.parse({ 'french-web': FRENCH_WEB });

/** A check of a whole file: the perimeter it names must be one that it describes, or a built-in one. */
export function describesItsPerimeter(
  { perimeter, perimeters = {} }: { readonly perimeter?: unknown; readonly perimeters?: object | undefined },
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const names = Object.keys({ ...BUILT_IN, ...perimeters });
  if (typeof perimeter !== 'string' || names.includes(perimeter)) return;
  const message = `no perimeter is named '${perimeter}'; describe it under perimeters:, or take one of: ${names.join(', ')}`;
  context.addIssue({ code: 'custom', path: ['perimeter'], message });
}

/** The perimeter of that name, or the only one of the file. Without a file: the French web. */
export async function readPerimeter(file?: string, name?: string): Promise<PerimeterDefinition> {
  const given = file === undefined ? { perimeters: {} } : await readConfig(file, PERIMETERS);
  const { perimeters } = PERIMETERS.parse(given);
  return perimeterDefinition(chosenPerimeter(perimeters, name, file));
}

/**
 * `file`: where the table was read from; its lists lie next to it. `others`: those that can be asked for beside the table, to be named
 * where there is none such.
 */
export function chosenPerimeter(
  declared: PerimeterTable,
  name: string | undefined,
  file: string | undefined,
  others: readonly string[] = [],
): PerimeterSpec {
  const known = file === undefined || name !== undefined ? { ...BUILT_IN, ...declared } : declared;
  const names = Object.keys(known);
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  const settings = chosen === undefined ? undefined : known[chosen];
  if (chosen === undefined || !settings) {
    const asked = name === undefined ? 'which perimeter is meant' : `no perimeter is named '${name}'`;
    throw new UserError(
      `${file === undefined ? '' : `${file}: `}${asked}; there are: ${[...names, ...others].join(', ') || 'none'}`,
    );
  }
  const beside = (list: string): string => resolve(dirname(file ?? '.'), list);
  const { owners, addresses, topics, ...rest } = settings;
  return {
    ...rest,
    name: chosen,
    owners: owners?.weights ?? {},
    ...(owners && { ownersFile: beside(owners.file) }),
    ...(addresses !== undefined && { addressesFile: beside(addresses) }),
    topics: Object.entries(topics).map(([topic, given]) => ({ name: topic, ...given })),
  };
}
