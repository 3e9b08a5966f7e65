import { z } from 'zod';
import { type AlertRule, CHANGE_CONDITIONS, DIGESTS, type QuietHours } from '../../model/alert.ts';
import { CHANGED_ELEMENTS, OPERATION_NAMES } from '../../model/change.ts';
import { parseSelector } from '../../model/css-selector.ts';
import { zoneOffset } from '../../science/patterns/zone.ts';
import { readConfig } from '../given/config-file.ts';
import { parseCount, parseDuration, parseShare } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';
import {
  type ChannelSettings,
  channelsOf,
  DELIVERY_SETTINGS,
  type DeliverySettings,
  SEND,
} from './channel-settings.ts';

/** A rule with where its messages go; nowhere for a rule that only has a feed. */
export interface ConfiguredRule {
  readonly rule: AlertRule;
  readonly send: readonly ChannelSettings[];
}

/** Strict, and names what is accepted instead of using zod's own words. */
const keys = <S extends z.ZodRawShape>(shape: S, what: string, example: string) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `unknown; ${what} takes: ${Object.keys(shape).join(', ')}`
        : `expected ${example}`,
  });

/** A function that throws, as a check with its message. */
const checkedBy = (check: (text: string) => unknown) => (text: string, context: z.core.$RefinementCtx) => {
  try {
    check(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message, input: text });
  }
};

const zone = z.string('expected a time zone, such as Europe/Paris').superRefine(
  checkedBy((name) => {
    try {
      zoneOffset(name);
    } catch {
      throw new Error(`no time zone is named '${name}'; write e.g. Europe/Paris`);
    }
  }),
);
const level = z
  .number('expected a number from 0 to 1, such as 0.4')
  .min(0, 'expected a number from 0 to 1')
  .max(1, 'expected a number from 0 to 1');
const share = quantity(parseShare);
const words = z
  .union([z.string(), z.array(z.string())], 'expected a text, or a list of texts: any of them counts')
  .transform((given) => [given].flat())
  .refine(
    (list) => list.length > 0 && list.every((text) => text.trim() !== ''),
    'expected words to look for',
  );
const target = z
  .string('expected a page, a pattern with * or a site')
  .refine(
    (text) => /^\S{1,4000}$/.test(text),
    'expected a page (https://example.org/a), a pattern (example.org/news/*) or a site',
  );
const isTrue = z.literal(true, 'expected true');

const WHERE_KEYS = {
  site: target.optional(),
  pages: z.union([target, z.array(target).min(1, 'name at least one page')]).optional(),
  block: z
    .string()
    .regex(/^B\d+(\.\d+)*$/, 'expected the ref of a block, such as B1.2 (daguerre segment shows them)')
    .optional(),
  css: z.string('expected a CSS selector').superRefine(checkedBy(parseSelector)).optional(),
};

const NUMBER_KEYS = {
  above: z.number().optional(),
  below: z.number().optional(),
  crosses: z.number().optional(),
  after: z.string().min(1).optional(),
};

const WHEN_KEYS = {
  salience: level.optional(),
  importance: level.optional(),
  appears: words.optional(),
  vanishes: words.optional(),
  operation: keys(
    {
      op: z
        .enum(OPERATION_NAMES as [string, ...string[]], `expected one of: ${OPERATION_NAMES.join(', ')}`)
        .optional(),
      element: z
        .enum(CHANGED_ELEMENTS as [string, ...string[]], `expected one of: ${CHANGED_ELEMENTS.join(', ')}`)
        .optional(),
    },
    'operation',
    '{ op: insert, element: link }, or one of them',
  )
    .refine(({ op, element }) => op !== undefined || element !== undefined, 'name an op, an element, or both')
    .optional(),
  number: keys(NUMBER_KEYS, 'number', 'a value to cross, such as { above: 100 }')
    .refine(
      ({ above, below, crosses }) => (above ?? below ?? crosses) !== undefined,
      'give one of: above, below, crosses',
    )
    .optional(),
  unexpected: level.optional(),
  gone: isTrue.optional(),
  back: isTrue.optional(),
  errors: quantity(parseCount)
    .refine((count) => count >= 1 && count <= 100, 'expected failures in a row, from 1 to 100')
    .optional(),
  shrunk: share.optional(),
  certificate: share.optional(),
};

/** `22:00-07:00`, with a zone of its own or the rule's. */
const QUIET = /^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})(?:\s+(\S+))?$/;
const quiet = z
  .string('expected hours, such as 22:00-07:00 Europe/Paris')
  .transform((text, context): Omit<QuietHours, 'zone'> & { readonly zone: string | undefined } => {
    const found = QUIET.exec(text.trim());
    const [, fromHour, fromMinute, toHour, toMinute, named] = found ?? [];
    const [from, to] = [minutes(fromHour, fromMinute), minutes(toHour, toMinute)];
    if (from === undefined || to === undefined || from === to)
      context.addIssue(`'${text}' is no span of hours; write e.g. 22:00-07:00 Europe/Paris`);
    else if (named !== undefined && !zone.safeParse(named).success)
      context.addIssue(`no time zone is named '${named}'; write e.g. 22:00-07:00 Europe/Paris`);
    return { from: from ?? 0, to: to ?? 0, zone: named };
  });

/** Minutes of the day; 24:00 is its end. */
function minutes(hour: string | undefined, minute: string | undefined): number | undefined {
  const [h, m] = [Number(hour), Number(minute)];
  return h * 60 + m <= 1440 && m < 60 ? (h * 60 + m) % 1440 : undefined;
}

const atMost = z
  .string("expected how many messages in which time, such as '1 per 2h'")
  .transform((text, context) => {
    const [, count = '', span = ''] = /^(\d+)\s+per\s+(\S+)$/.exec(text.trim()) ?? [];
    try {
      const messages = parseCount(count);
      const length = parseDuration(span);
      if (messages >= 1 && messages <= 1000 && length > 0) return { messages, span: length };
    } catch {
      // Reported below.
    }
    context.addIssue(`'${text}' is no limit; write messages per time, such as '1 per 2h'`);
    return z.NEVER;
  });

const RULE_KEYS = {
  name: z
    .string('a rule has a name')
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u,
      'a name has letters, digits, spaces, dots and dashes, at most 100',
    ),
  where: keys(WHERE_KEYS, 'where', 'pages, such as { site: example.org }').default({}),
  when: keys(WHEN_KEYS, 'when', 'conditions, such as { salience: 0.4 }').refine(
    (when) => Object.values(when).some((value) => value !== undefined),
    `name a condition: ${Object.keys(WHEN_KEYS).join(', ')}`,
  ),
  send: SEND.optional(),
  digest: z.enum(DIGESTS, `expected one of: ${DIGESTS.join(', ')}`).default('none'),
  atMost: atMost.optional(),
  quiet: quiet.optional(),
  timezone: zone.optional(),
};

const RULE = keys(
  RULE_KEYS,
  'a rule',
  "a rule with 'name', 'when' and perhaps 'where' and 'send'",
).superRefine(({ where, when }, context) => {
  const regional = where.block ?? where.css;
  if (regional !== undefined && CHANGE_CONDITIONS.every((condition) => when[condition] === undefined))
    context.addIssue({
      code: 'custom',
      path: ['where'],
      message: `a block or region can only change: add one of ${CHANGE_CONDITIONS.join(', ')}`,
    });
});

/** The configuration key `alerts`. */
export const ALERT_SETTINGS = z
  .array(RULE, "expected a list of rules, such as '- { name: important, when: { salience: 0.4 } }'")
  .superRefine((rules, context) => {
    const seen = new Set<string>();
    rules.forEach(({ name }, index) => {
      if (seen.has(name))
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: `another rule is named '${name}' already`,
        });
      seen.add(name);
    });
  });

export type AlertSettings = z.output<typeof ALERT_SETTINGS>;

/** A file for alerts alone; settings of `watch` and `archive` may be in it too. */
const FILE = z.looseObject(
  { alerts: ALERT_SETTINGS.default([]), delivery: DELIVERY_SETTINGS.prefault({}) },
  { error: () => "expected 'alerts:' with a list of rules" },
);

export async function readAlerts(
  file: string,
): Promise<{ readonly rules: readonly ConfiguredRule[]; readonly delivery: DeliverySettings }> {
  const { alerts, delivery } = FILE.parse(await readConfig(file, FILE));
  return { rules: configuredRules(alerts), delivery };
}

/** `zone`: for rules that name none. */
export function configuredRules(
  settings: AlertSettings,
  defaults: { readonly zone?: string } = {},
): ConfiguredRule[] {
  return settings.map(({ name, where, when, send, digest, atMost: most, quiet: hours, timezone }) => {
    const own = timezone ?? defaults.zone ?? 'UTC';
    const { pages, ...places } = given(where);
    const rule = {
      name,
      where: { ...places, ...(pages !== undefined && { pages: [pages].flat() }) },
      when: given(when),
      digest,
      ...(most && { atMost: most }),
      ...(hours && { quiet: { ...hours, zone: hours.zone ?? own } }),
      zone: own,
    } as AlertRule;
    return { rule, send: channelsOf(send ?? {}) };
  });
}

/** Drops keys whose value is undefined. */
const given = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
