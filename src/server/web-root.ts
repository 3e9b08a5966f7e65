import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const NOT_BUILT = 'the web page is not built: run `npm run build`, then start the server again';

/** Where `vite build` puts the web page, seen from `src/server` and from `dist/server`. */
export function defaultWebRoot(): string {
  const places = ['../../dist/web', '../web'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find(isBuilt) ?? places[0] ?? '';
}

export function isBuilt(webRoot: string): boolean {
  return existsSync(path.join(webRoot, 'index.html')) && existsSync(path.join(webRoot, 'replay/index.html'));
}

/** wabac's service worker, as the npm package ships it. */
export function serviceWorkerScript(): Buffer {
  // The package exports index.html but not sw.js, which lies beside it.
  const index = createRequire(import.meta.url).resolve('replaywebpage/index.html');
  return readFileSync(path.join(path.dirname(index), 'sw.js'));
}
