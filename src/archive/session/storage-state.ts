import { z } from 'zod';
import { SAME_SITE } from '../../capture/session/cookie.ts';
import type { SessionState } from '../../capture/session/visitors.ts';
import { UserError } from '../user-error.ts';
import { fileText } from './secret-text.ts';

/** The format of Playwright's `storageState`; unknown keys are accepted. */
const STATE = z.object({
  cookies: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().regex(/^[^\p{Cc};]*$/u, 'no value of a cookie'),
        domain: z.string().min(1),
        path: z.string().default('/'),
        /** Seconds; -1 for a session cookie. */
        expires: z.number().default(-1),
        httpOnly: z.boolean().default(false),
        secure: z.boolean().default(false),
        sameSite: z.enum(SAME_SITE).optional().catch(undefined),
        partitionKey: z.unknown().optional(),
      }),
    )
    .default([]),
  origins: z
    .array(
      z.object({
        origin: z.string().regex(/^https?:\/\/[^/]+$/, 'no origin, such as https://example.org'),
        localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      }),
    )
    .default([]),
});

/** Complaints name the place, never the value. */
export function readStorageState(path: string): SessionState {
  const text = fileText(path, '--storage-state');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UserError(
      `--storage-state: ${path} is not JSON; expected what Playwright's storageState writes`,
    );
  }
  const checked = STATE.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const place = issue?.path.join('.') || 'the whole';
    throw new UserError(
      `--storage-state: ${path}: ${place}: ${issue?.message}; expected {"cookies": […], "origins": […]} as Playwright writes it`,
    );
  }
  const { cookies, origins } = checked.data;
  if (cookies.length + origins.length === 0)
    throw new UserError(`--storage-state: ${path} holds neither cookies nor storage`);
  return {
    cookies: cookies
      .filter(({ partitionKey }) => partitionKey === undefined || partitionKey === '')
      .map(({ domain, expires, sameSite, partitionKey: _, ...cookie }) => ({
        ...cookie,
        domain: domain.replace(/^\./, '').toLowerCase(),
        hostOnly: !domain.startsWith('.'),
        ...(sameSite && { sameSite }),
        ...(expires >= 0 && { expires: expires * 1000 }),
      })),
    storage: origins.map(({ origin, localStorage }) => ({
      origin,
      items: localStorage.map(({ name, value: item }) => [name, item] as const),
    })),
  };
}
