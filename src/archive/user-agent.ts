import { VERSION } from './version.ts';

/** Honest, and with a way to reach whoever runs it, where they gave one. */
export function userAgent(contact?: string): string {
  return `Mozilla/5.0 (compatible; Daguerre/${VERSION}; web archiver${contact ? `; ${contact}` : ''})`;
}
