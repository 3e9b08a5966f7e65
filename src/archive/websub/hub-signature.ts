import { createHmac, timingSafeEqual } from 'node:crypto';

/** Methods that hubs may sign with (WebSub §8). */
const METHODS = new Set(['sha1', 'sha256', 'sha384', 'sha512']);

/** Whether `X-Hub-Signature: method=hex` signs this body with this secret. */
export function isSigned(field: string | undefined, body: Uint8Array, secret: string): boolean {
  const [, method = '', told = ''] = /^\s*(sha\d+)=([0-9a-f]+)\s*$/i.exec(field ?? '') ?? [];
  if (!METHODS.has(method.toLowerCase())) return false;
  const own = createHmac(method.toLowerCase(), secret).update(body).digest();
  const given = Buffer.from(told, 'hex');
  return own.byteLength === given.byteLength && timingSafeEqual(own, given);
}
