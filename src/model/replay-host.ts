import { siteOf } from './site.ts';

/**
 * Where a page is replayed: a host name per archived site and view, so that the browser keeps sites apart from
 * each other and from what was replayed before. The server, the web page and the service worker derive it the same way.
 *
 * `http://*.localhost:8471` + `http://example.org/` + view `k3x9` =>
 * `http://example-org-<20 digits of a digest>-k3x9.localhost:8471`. A pattern without `*` is one origin for all.
 */

/** Host of replay without scripts: no archived script ever runs on it, so sites may share it. */
const STILL = 'still';

/** Of one label of a host name, dashes included. A view that names a choice is longer than a plain one (version-choice.ts). */
const LABEL_CHARACTERS = 63;
const READABLE_CHARACTERS = 24;
/** 80 bits: finding a second site with the same digest is infeasible. */
const DIGEST_CHARACTERS = 20;

export const isSeparated = (pattern: string): boolean => pattern.includes('*');

/** Undefined where the URL has no site, such as `about:blank`. */
export async function siteLabel(url: string, view: string): Promise<string | undefined> {
  const site = siteOf(url);
  if (site === '') return undefined;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(site));
  const digest = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const readable = site
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, Math.min(READABLE_CHARACTERS, LABEL_CHARACTERS - DIGEST_CHARACTERS - view.length - 2))
    .replace(/^-|-$/gu, '');
  return [readable || 'site', digest.slice(0, DIGEST_CHARACTERS), view].join('-');
}

export const stillLabel = (view: string): string => `${STILL}-${view}`;

/** The origin that replays this URL. */
export async function replayOrigin(
  pattern: string,
  { url, view, scripts }: { url: string; view: string; scripts: boolean },
): Promise<string> {
  if (!isSeparated(pattern)) return pattern;
  const label = scripts ? ((await siteLabel(url, view)) ?? stillLabel(view)) : stillLabel(view);
  return pattern.replace('*', label);
}

/** The view that a replay host belongs to: the last part of its first label. */
export function viewOf(hostname: string): string {
  return hostname.split('.', 1)[0]?.split('-').at(-1) ?? '';
}
