import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Script } from 'node:vm';
import { z } from 'zod';
import { DEVICES, deviceNamed } from '../../model/device.ts';
import { BEHAVIORS, type OwnBehavior, type PageSpec, SCREENSHOTS } from '../../model/page-spec.ts';
import { parseDuration } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';
import { userAgent } from '../user-agent.ts';

/** How pages are looked at in the browser: a part of CRAWL_SETTINGS. */

/** In bytes: the script goes to each page, and is stored with the crawl. */
const LARGEST_SCRIPT = 1_000_000;
const NONE = 'none';

/** Names separated by commas, or a list; `none` for an empty one. */
const names = <const T extends readonly [string, ...string[]]>(known: T) =>
  z.preprocess(
    (given) =>
      [given ?? []]
        .flat()
        .flatMap((one) => (typeof one === 'string' ? one.split(',').map((name) => name.trim()) : [one]))
        .filter((name) => name !== NONE && name !== ''),
    z.array(
      z.enum(known, {
        error: ({ input }) => `'${String(input)}' is none of: ${[...known, NONE].join(', ')}`,
      }),
    ),
  );

const scripts = z
  .union([z.string(), z.array(z.string())], 'expected the name of a file, or a list of them')
  .transform((given) => [given].flat())
  .transform((paths, context) =>
    paths.map((path): OwnBehavior => {
      try {
        if (statSync(path).size > LARGEST_SCRIPT)
          throw new Error(`it is larger than ${LARGEST_SCRIPT} bytes`);
        const script = readFileSync(path, 'utf8');
        // Parsed, not run: a script that cannot be parsed would fail on every page.
        new Script(isClass(script) ? `(${script}\n)` : `(async (signal) => {${script}\n})`, {
          filename: path,
        });
        return { name: basename(path), script };
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: `'${path}' cannot be used: ${(error as Error).message}`,
        });
        return { name: basename(path), script: '' };
      }
    }),
  );

/** The form in which Browsertrix takes custom behaviours: a class with `id`, `isMatch`, `init` and `run`. */
export const isClass = (script: string): boolean => /\bstatic\s+isMatch\b/u.test(script);

export const PAGE_KEYS = {
  behaviors: names(BEHAVIORS)
    .default(['autoscroll'])
    .describe(
      `what to do with pages before they are looked at: ${BEHAVIORS.join(', ')}, with commas; or none`,
    ),
  behavior: scripts
    .default([])
    .describe('file with a script to run on each page (repeatable; docs/behaviors.md)'),
  behaviorTimeout: quantity(parseDuration)
    .default(20_000)
    .describe('time for each of --behaviors and --behavior on a page, e.g. 20s'),
  postLoadDelay: quantity(parseDuration)
    .default(0)
    .describe('wait so long once a page has come to rest, e.g. 3s'),
  screenshot: names(SCREENSHOTS)
    .default(['view'])
    .describe('pictures to keep of pages: view, fullPage, with a comma; or none'),
  device: z
    .string()
    .transform((name, context) => {
      const found = deviceNamed(name);
      if (found) return found;
      const known = DEVICES.map((one) => one.name).join(', ');
      context.addIssue({ code: 'custom', message: `no device is named '${name}'; known are ${known}` });
      return z.NEVER;
    })
    .optional()
    .describe(`show pages as on a device: ${DEVICES.map((one) => one.name).join(', ')}`),
  lang: z
    .string()
    .transform((tag, context) => {
      try {
        const [language = ''] = Intl.getCanonicalLocales(tag);
        return language;
      } catch {
        context.addIssue({ code: 'custom', message: `'${tag}' is no language; write e.g. de, or fr-CH` });
        return z.NEVER;
      }
    })
    .optional()
    .describe('language to ask pages for, e.g. fr-CH (default: en-US in the browser, none over HTTP)'),
};

type PageSettings = z.output<z.ZodObject<typeof PAGE_KEYS>>;

/** Absent where all page settings are the usual ones, which keeps the specs of most crawls short. */
export function pageSpec(settings: PageSettings): { readonly page?: PageSpec } {
  const { behaviors, behavior, behaviorTimeout, postLoadDelay, screenshot, device, lang } = settings;
  const isUsual =
    behaviors.join() === 'autoscroll' &&
    behavior.length + postLoadDelay === 0 &&
    screenshot.join() === 'view' &&
    device === undefined &&
    lang === undefined;
  if (isUsual) return {};
  return {
    page: {
      behaviors: [...behaviors, ...behavior],
      behaviorTimeout,
      postLoadDelay,
      screenshots: screenshot,
      ...(device && { device }),
      ...(lang !== undefined && { language: lang }),
    },
  };
}

/**
 * The crawl's own user agent, or what a browser on the device would send, with our identity added: sites that look for
 * phones find one.
 */
export function crawlUserAgent(settings: PageSettings & { userAgent: string; contact: string }): string {
  const { device, contact } = settings;
  const own = userAgent(contact === '' ? undefined : `+${contact}`);
  if (settings.userAgent !== '' || !device?.mobile) return settings.userAgent || own;
  const engine = device.system.startsWith('Linux')
    ? 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
    : 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
  return `${own.replace('(compatible', `(${device.system}; compatible`)} ${engine}`;
}
