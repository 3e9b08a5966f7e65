import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const NOT_BUILT = 'the web page is not built: run `npm run build`, then start the server again';

/** Built from `web/replay/worker.ts`. */
const SERVICE_WORKER = 'replay/sw.js';
/** Built from `web/replay/guard.ts`. */
export const GUARD = 'replay/guard.js';
const PARTS = ['index.html', 'replay/index.html', GUARD, SERVICE_WORKER];

/** Where `vite build` puts the web page, seen from `src/server` and from `dist/bundle`. */
export function defaultWebRoot(): string {
  const places = ['../../dist/web', '../web'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find(isBuilt) ?? places[0] ?? '';
}

export function isBuilt(webRoot: string): boolean {
  return PARTS.every((part) => existsSync(path.join(webRoot, part)));
}

export function serviceWorkerScript(webRoot: string): string {
  return readFileSync(path.join(webRoot, SERVICE_WORKER), 'utf8');
}
