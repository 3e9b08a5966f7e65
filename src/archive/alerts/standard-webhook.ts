import { createHmac } from 'node:crypto';

/** Prefix of secrets as Standard Webhooks hands them out; base64 follows. */
const PREFIX = 'whsec_';

/**
 * Headers as in Standard Webhooks (https://www.standardwebhooks.com): the signature is HMAC-SHA256 over
 * `id.timestamp.body`, so that neither id nor time can be replaced.
 */
export function signedHeaders(
  { id, body, secret }: { readonly id: string; readonly body: string; readonly secret: string | undefined },
  seconds: number,
): Record<string, string> {
  const time = String(Math.floor(seconds));
  const named = { 'webhook-id': id, 'webhook-timestamp': time };
  if (secret === undefined) return named;
  const key = secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { ...named, 'webhook-signature': `v1,${signature}` };
}
