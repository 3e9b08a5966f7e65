import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Signer } from '../ports/signer.ts';

/** Ed25519 (RFC 8032) by node:crypto. Public keys are SubjectPublicKeyInfo, DER, base64; signatures base64. */

/** The file or text holds no Ed25519 key: the user must supply another. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/** A new private key, PKCS #8 in PEM. */
export function newPrivateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Throws KeyError. */
export function signerOf(privateKeyPem: string): Signer {
  const key = keyIn(privateKeyPem, createPrivateKey);
  return {
    publicKey: encoded(createPublicKey(key)),
    sign: (bytes) => sign(null, bytes, key).toString('base64'),
  };
}

/**
 * The public key in a PEM file (public, or the public half of a private one) or in one line of base64. Throws KeyError.
 */
export function publicKeyOf(text: string): string {
  const pem = text.includes('-----BEGIN') ? text : publicKeyPem(text.trim());
  return encoded(keyIn(pem, createPublicKey));
}

function keyIn(pem: string, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read(pem);
  } catch {
    throw new KeyError('this is no key in PEM format');
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new KeyError(
      `this is a key for ${key.asymmetricKeyType ?? 'something else'}: an Ed25519 key is needed`,
    );
  }
  return key;
}

const encoded = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');

export function publicKeyPem(publicKey: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`;
}

/** SHA-256 of the DER bytes, lower-case hex: what two people compare. */
export function fingerprint(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
}

/** Keys and signatures in another spelling, or with spare bits, do not count: each has exactly one text. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const raw = Buffer.from(signature, 'base64');
  if (raw.toString('base64') !== signature) return false;
  try {
    const key = keyIn(publicKeyPem(publicKey), createPublicKey);
    // OpenSSL reads DER that it would not write, e.g. with a different number of unused bits.
    return encoded(key) === publicKey && verify(null, bytes, key, raw);
  } catch (error) {
    if (error instanceof KeyError) return false;
    throw error;
  }
}
