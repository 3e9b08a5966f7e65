import type { ReplayConfig } from './api-types.ts';
import type { Origins } from './origins.ts';
import { PERMISSIONS_POLICY, STILL_SANDBOX, scriptedPolicy, stillPolicy } from './security-headers.ts';

/** The archive's answers to the service worker: `/wabac/<collection>/<timestamp>id_/<url>`. */
export const WABAC_PREFIX = '/wabac';
/** The same for replay without scripts. */
export const STILL_PREFIX = '/still';

/** Whole in every `sw.js` we send: nothing of it is kept where a page could write it. */
export function replayConfig(
  { collection, scripts }: { collection: string; scripts: boolean },
  origins: Origins,
  hostHeader: string | undefined,
): ReplayConfig {
  const pattern = origins.replay(hostHeader);
  return {
    pattern,
    ui: origins.ui(hostHeader),
    scripts,
    sources: { scripts: `${WABAC_PREFIX}/${collection}/`, still: `${STILL_PREFIX}/${collection}/` },
    policies: {
      scripts: scriptedPolicy(pattern, origins.uiAll()),
      still: stillPolicy(pattern, origins.uiAll(), STILL_SANDBOX),
      unguarded: stillPolicy(pattern, origins.uiAll(), ''),
    },
    permissions: PERMISSIONS_POLICY,
  };
}
