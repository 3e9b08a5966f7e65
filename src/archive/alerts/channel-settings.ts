import { z } from 'zod';
import { parseDuration } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';

export const CHAT_SERVICES = ['slack', 'mattermost', 'discord', 'teams'] as const;
export type ChatService = (typeof CHAT_SERVICES)[number];

/** One channel for a rule's messages. Addresses and secrets may be `env:NAME`. */
export type ChannelSettings =
  | { readonly kind: 'webhook'; readonly address: string; readonly secret?: string }
  | { readonly kind: ChatService; readonly address: string }
  | { readonly kind: 'email'; readonly to: readonly string[] }
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };

const ENV = /^env:[A-Za-z_][A-Za-z0-9_]*$/;
const fromEnv = z
  .string('expected env:NAME')
  .regex(ENV, 'a secret does not belong into the file: write env:NAME, and set the variable NAME');

const address = z
  .string('expected an address, such as https://hooks.example.org/x, or env:NAME')
  .refine((text) => ENV.test(text) || isWeb(text), 'expected an http or https address, or env:NAME');
const addresses = z.union([address, z.array(address).min(1, 'name at least one')]).optional();

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const mailbox = z
  .string('expected an e-mail address')
  .regex(/^[^\s<>,;"@]+@[^\s<>,;"@]+$/, 'expected an e-mail address, such as desk@example.org');

const SEND_KEYS = {
  webhook: addresses,
  secret: fromEnv.optional(),
  slack: addresses,
  mattermost: addresses,
  discord: addresses,
  teams: addresses,
  email: z.union([mailbox, z.array(mailbox).min(1, 'name at least one')]).optional(),
  command: z
    .union([z.string(), z.array(z.string())], 'expected a program, or a list of a program and its arguments')
    .transform((command) => [command].flat())
    .refine(([program = '']) => program.trim() !== '', 'expected a program; no shell reads it')
    .optional(),
};

/** The key `send` of a rule. */
export const SEND = z
  .strictObject(SEND_KEYS, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `unknown; send takes: ${Object.keys(SEND_KEYS).join(', ')}`
        : 'expected channels, such as { webhook: https://hooks.example.org/x }',
  })
  .refine(({ webhook, secret }) => secret === undefined || webhook !== undefined, {
    path: ['secret'],
    message: 'a secret signs what goes to a webhook: name one',
  });

export function channelsOf({ secret, email, command, ...send }: z.output<typeof SEND>): ChannelSettings[] {
  const each = (given: string | readonly string[] | undefined): readonly string[] =>
    given === undefined ? [] : [given].flat();
  const [program, ...args] = command ?? [];
  return [
    ...each(send.webhook).map((to) => ({
      ...({ kind: 'webhook', address: to } as const),
      ...(secret !== undefined && { secret }),
    })),
    ...CHAT_SERVICES.flatMap((kind) => each(send[kind]).map((to) => ({ kind, address: to }))),
    ...(email === undefined ? [] : [{ kind: 'email', to: each(email) } as const]),
    ...(program === undefined ? [] : [{ kind: 'command', command: [program, ...args] } as const]),
  ];
}

const SMTP_KEYS = {
  host: z.string('expected the name of the mail server'),
  port: z.number().int().min(1).max(65_535).default(587),
  /** TLS from the first byte; otherwise STARTTLS is requested. */
  tls: z.boolean().default(false),
  user: z.string().optional(),
  password: fromEnv.optional(),
  from: mailbox,
};

const DELIVERY_KEYS = {
  address: z
    .string('expected the address of the web page')
    .refine(isWeb, 'expected an http or https address')
    .transform((text) => text.replace(/\/+$/, ''))
    .default('http://127.0.0.1:8470'),
  allowPrivate: z.boolean('expected true or false').default(false),
  timeLimit: quantity(parseDuration).default(10_000),
  giveUpAfter: quantity(parseDuration).default(3 * 86_400_000),
  smtp: z
    .strictObject(SMTP_KEYS, {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? `unknown; smtp takes: ${Object.keys(SMTP_KEYS).join(', ')}`
          : 'expected { host: mail.example.org, from: archive@example.org }',
    })
    .optional(),
};

/** The configuration key `delivery`: how all rules send. */
export const DELIVERY_SETTINGS = z.strictObject(DELIVERY_KEYS, {
  error: ({ code }) =>
    code === 'unrecognized_keys'
      ? `unknown; delivery takes: ${Object.keys(DELIVERY_KEYS).join(', ')}`
      : 'expected settings, such as { address: https://archive.example.org }',
});

export type DeliverySettings = z.output<typeof DELIVERY_SETTINGS>;
export type SmtpSettings = NonNullable<DeliverySettings['smtp']>;
