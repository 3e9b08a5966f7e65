import { canonicalJson } from '../../model/canonical-json.ts';
import type { Millis } from '../../model/time.ts';
import { fingerprint, isSignedBy } from '../../storage/ed25519.ts';
import type { KnownKey } from '../../storage/key-list.ts';

/** Whose key signed: one that was `given`, or how the archive came to know the key. */
export type KeySigner = 'given' | KnownKey['origin'] | 'unknown';

/** A statement with a signature over its canonical JSON. */
export interface SignedStatement {
  readonly publicKey: string;
  readonly signature: string;
  readonly statement: unknown;
}

/** Whether a statement is signed by the key that comes with it, and whose key that is. */
export function signatureOf(
  { at }: { readonly at: Millis },
  { statement, publicKey, signature }: SignedStatement,
  { given, known }: { readonly given?: string; readonly known: readonly KnownKey[] },
): { readonly signer: KeySigner; readonly faults: readonly string[] } {
  const bytes = new TextEncoder().encode(canonicalJson(statement));
  const faults: string[] = [];
  if (!isSignedBy(publicKey, bytes, signature)) {
    faults.push('the signature does not fit the statement and the public key beside it');
  }
  if (given !== undefined) {
    if (given === publicKey) return { signer: 'given', faults };
    faults.push(
      `it is signed by the key ${fingerprint(publicKey)}, not by the one given, ${fingerprint(given)}`,
    );
    return { signer: 'unknown', faults };
  }
  const key = known.find((one) => one.publicKey === publicKey);
  if (!key) {
    faults.push(
      `it is signed by the key ${fingerprint(publicKey)}, which this archive does not know: ` +
        'if it is from a source you trust, add it with: daguerre key import',
    );
    return { signer: 'unknown', faults };
  }
  if (key.retiredAt !== undefined && at > key.retiredAt) {
    faults.push(
      `it was written after its key ${key.fingerprint} was retired at ${new Date(key.retiredAt).toISOString()}`,
    );
  }
  return { signer: key.origin, faults };
}
