/** Signs in the name of the archive, without exposing the private key. */
export interface Signer {
  /** SubjectPublicKeyInfo, DER, base64. */
  readonly publicKey: string;
  /** Ed25519, base64. */
  sign(bytes: Uint8Array): string;
}
