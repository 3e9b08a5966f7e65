import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../given/config-file.ts';
import { UserError } from '../user-error.ts';

/** What a user may do. reader: read; editor: also decide and ping; admin: also start and stop crawls. */
export const ROLES = ['reader', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface ServerUser {
  readonly name: string;
  readonly role: Role;
  /** Argon2 hash, in its standard notation. */
  readonly password: string;
}

export interface ServerToken {
  readonly name: string;
  readonly role: Role;
  readonly token: string;
}

/** Who may use a server, and what it may do for them. */
export interface ServerSettings {
  readonly users: readonly ServerUser[];
  readonly tokens: readonly ServerToken[];
  /** Hosts under which the web page is requested, besides those that follow from its address. */
  readonly names: readonly string[];
  /** The session cookie is sent to replay too, if both are under this domain. */
  readonly cookieDomain?: string;
  /** Limit per client other than this machine. */
  readonly requestsPerMinute: number;
  /** Configuration of crawls started here: what `archive --config` takes. */
  readonly crawls?: string;
  /** Configuration of a watch: for the plan and the rules of alerts. */
  readonly watch?: string;
}

/** High, because a page with a hundred thumbnails makes a hundred requests. */
const REQUESTS_PER_MINUTE = 3000;

export const NO_ACCESS: ServerSettings = {
  users: [],
  tokens: [],
  names: [],
  requestsPerMinute: REQUESTS_PER_MINUTE,
};

/** A token that can be guessed protects nothing. */
export const LEAST_TOKEN = 16;

const name = z
  .string('expected a name')
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,99}$/u,
    'a name has letters, digits, spaces, dots, dashes and @, at most 100',
  );
const role = z.enum(ROLES, `expected one of: ${ROLES.join(', ')}`);
const host = z
  .string('expected the name of a host')
  .regex(/^[a-z0-9.-]{1,253}$/i, 'expected the name of a host, such as archive.example.org');
const file = z.string('expected the name of a file').min(1);

const SERVER_KEYS = {
  users: z
    .array(
      z.strictObject({
        name,
        role,
        password: z
          .string('expected an argon2 hash')
          .regex(
            /^\$argon2(?:id|i|d)\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/,
            "a password does not belong into the file: write its hash, as 'daguerre serve --hash-password' prints it",
          ),
      }),
      "expected a list of users, such as '- { name: anna, role: editor, password: … }'",
    )
    .default([]),
  tokens: z
    .array(
      z.strictObject({
        name,
        role,
        token: z
          .string('expected env:NAME')
          .regex(
            /^env:[A-Za-z_][A-Za-z0-9_]*$/,
            'a secret does not belong into the file: write env:NAME, and set the variable NAME',
          ),
      }),
      "expected a list of tokens, such as '- { name: cms, role: editor, token: env:CMS_TOKEN }'",
    )
    .default([]),
  names: z.array(host, 'expected a list of hosts').default([]),
  cookieDomain: host.optional(),
  requestsPerMinute: z.int('expected a number of requests').min(1).default(REQUESTS_PER_MINUTE),
  crawls: file.optional(),
  watch: file.optional(),
};

/** The file that `serve --config` takes, and the key `server` of a watch. */
export const SERVER_SETTINGS = z
  .strictObject(SERVER_KEYS, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `unknown; accepted: ${Object.keys(SERVER_KEYS).join(', ')}` : undefined,
  })
  .superRefine(({ users, tokens }, context) => {
    for (const [key, list] of Object.entries({ users, tokens })) {
      const names = list.map((one) => one.name);
      const twice = names.find((one, i) => names.indexOf(one) !== i);
      if (twice !== undefined)
        context.addIssue({ code: 'custom', path: [key], message: `'${twice}' stands twice` });
    }
  });

export async function readServerSettings(path: string): Promise<ServerSettings> {
  return serverSettings(await readConfig(path, SERVER_SETTINGS), path);
}

/** @param from the file it comes from: other files are named relative to it */
export function serverSettings(raw: unknown, from: string): ServerSettings {
  const { users, tokens, names, cookieDomain, requestsPerMinute, crawls, watch } = SERVER_SETTINGS.parse(raw);
  const beside = (path: string): string => resolve(dirname(from), path);
  return {
    users,
    tokens: tokens.map((one) => ({ ...one, token: tokenFrom(one.token, `token '${one.name}'`) })),
    names: names.map((one) => one.toLowerCase()),
    requestsPerMinute,
    ...(cookieDomain !== undefined && { cookieDomain }),
    ...(crawls !== undefined && { crawls: beside(crawls) }),
    ...(watch !== undefined && { watch: beside(watch) }),
  };
}

/** A token as it is given: literally, or `env:NAME` for the variable that holds it. */
export function tokenFrom(given: string, what: string): string {
  const variable = given.startsWith('env:') ? given.slice('env:'.length) : undefined;
  const token = variable === undefined ? given : process.env[variable];
  if (token === undefined) throw new UserError(`${what}: the environment has no variable ${variable}`);
  if (token.length < LEAST_TOKEN)
    throw new UserError(`${what}: at least ${LEAST_TOKEN} characters, such as 'openssl rand -hex 24' gives`);
  return token;
}
