import type { FastifyRequest } from 'fastify';
import type { ReplayConfig } from './api-types.ts';
import type { Access } from './guard/identity.ts';
import { ticketedPattern } from './guard/replay-ticket.ts';
import type { Origins } from './origins.ts';
import {
  INERT_POLICY,
  PERMISSIONS_POLICY,
  STILL_SANDBOX,
  scriptedPolicy,
  stillPolicy,
} from './security-headers.ts';

/** The archive's answers to the service worker: `/wabac/<collection>/<timestamp>id_/<url>`. */
export const WABAC_PREFIX = '/wabac';
/** The same for replay without scripts. */
export const STILL_PREFIX = '/still';

/** Origins of replay for whoever asks, `*` for the label of a site. */
export function replayPattern(
  { origins, access }: { readonly origins: () => Origins; readonly access: Access },
  request: FastifyRequest,
): string {
  return ticketedPattern(origins().replay(request.headers.host), access.ticketFor(request, Date.now()));
}

/** Whole in every `sw.js` we send: nothing of it is kept where a page could write it. */
export function replayConfig(
  { collection, scripts, pattern }: { collection: string; scripts: boolean; pattern: string },
  origins: Origins,
  { headers }: Pick<FastifyRequest, 'headers'>,
): ReplayConfig {
  return {
    pattern,
    ui: origins.ui(headers.host),
    scripts,
    sources: { scripts: `${WABAC_PREFIX}/${collection}/`, still: `${STILL_PREFIX}/${collection}/` },
    policies: {
      scripts: scriptedPolicy(pattern, origins.uiAll()),
      still: stillPolicy(pattern, origins.uiAll(), STILL_SANDBOX),
      unguarded: stillPolicy(pattern, origins.uiAll(), ''),
      inert: INERT_POLICY,
    },
    permissions: PERMISSIONS_POLICY,
  };
}
