import { COOKIE } from './identity.ts';

/** Out of reach for scripts, and never sent along by a page of another site. An empty id removes it. */
export function sessionCookie(
  id: string,
  { isSecure, domain }: { readonly isSecure: boolean; readonly domain: string | undefined },
): string {
  const parts = [`${COOKIE}=${id}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (isSecure) parts.push('Secure');
  if (domain !== undefined) parts.push(`Domain=${domain}`);
  if (id === '') parts.push('Max-Age=0');
  return parts.join('; ');
}
