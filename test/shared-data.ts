import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Real data and other projects' fixtures stand beside the checkout, in `../shared/data`, and are never
 * copied into it. Tests that need them skip where they are absent.
 */
export function sharedData(path: string): string | undefined {
  const full = fileURLToPath(new URL(`../../shared/data/${path}`, import.meta.url));
  return existsSync(full) ? full : undefined;
}
