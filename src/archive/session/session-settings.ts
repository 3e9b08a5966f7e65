import { z } from 'zod';
import { CONSENT_ANSWERS, SESSION_MODES } from '../../model/session.ts';

const list = z
  .union([z.string(), z.array(z.string())], 'expected a text, or a list of texts')
  .transform((value) => [value].flat());

const SECRET = 'env:NAME or file:PATH keep it out of `ps`; repeatable';

/** Settings of a crawl that say who visits, with what, and by which way out. */
export const SESSION_KEYS = {
  session: z
    .enum(SESSION_MODES)
    .default('page')
    .describe(
      'page: each page meets a first-time visitor; crawl: cookies and storage go along, site by site',
    ),
  sessionFile: z
    .string()
    .optional()
    .describe(
      "encrypted file with a session, as 'daguerre login' makes it; --session crawl keeps it up (key: DAGUERRE_SESSION_KEY)",
    ),
  consent: z
    .enum(CONSENT_ANSWERS)
    .default('none')
    .describe('answer consent banners by a list of known ones: accept, reject; none leaves them'),
  storageState: z
    .string()
    .optional()
    .describe('cookies and storage to begin with: a JSON file as Playwright writes it'),
  profile: z.string().optional().describe('cookies and storage to begin with: the profile of a Chromium'),
  header: list
    .default([])
    .describe(`header field for the hosts of the seeds, 'Name: value', or '@host Name: value'; ${SECRET}`),
  cookie: list
    .default([])
    .describe(
      `cookie for the hosts of the seeds, 'name=value', or with its domain, 'name=value; Domain=example.org'; ${SECRET}`,
    ),
  credentials: list
    .default([])
    .describe(`user:password for HTTP Basic on the hosts of the seeds, or '@host user:password'; ${SECRET}`),
  proxy: list
    .default([])
    .describe(
      `way out, http://host:port or socks5://host:port; for some hosts '*.example.org=socks5://…' or '…=direct'; ${SECRET}`,
    ),
  proxyDns: z
    .boolean()
    .default(false)
    .describe('let proxies resolve names: the addresses they reach are then not checked, and not known'),
} as const;

export const SESSION_SETTINGS = z.strictObject(SESSION_KEYS);
export type SessionSettings = z.output<typeof SESSION_SETTINGS>;

/** Settings that take secrets: their values are never stored. */
export const SECRET_SETTINGS = ['header', 'cookie', 'credentials', 'proxy'] as const;
