import { createHash } from 'node:crypto';
import type { LoaderConfig } from './api-types.ts';
import { replayedPolicy } from './security-headers.ts';

/** The archive's answers to wabac: `/wabac/<collection>/<timestamp>id_/<url>`. */
export const WABAC_PREFIX = '/wabac';

export function loaderConfig(collection: string, origin: string, uiOrigins: readonly string[]): LoaderConfig {
  const prefix = `${origin}${WABAC_PREFIX}/${collection}/`;
  const extraConfig = {
    prefix,
    isLive: false,
    archivePrefix: '',
    archiveMod: 'id_',
    baseUrl: `${origin}/`,
    baseUrlHashReplay: true,
    csp: replayedPolicy(uiOrigins),
  };
  // wabac keeps collections for ever: a changed configuration needs a new name to take effect.
  const version = createHash('sha256').update(JSON.stringify(extraConfig)).digest('hex').slice(0, 8);
  return { name: `${collection}-${version}`, sourceUrl: `proxy:${prefix}`, extraConfig };
}
