import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';

/** OWASP's least for argon2id: 19 MiB, two passes. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> =>
  argon2id({ ...COST, password, salt: randomBytes(16), hashLength: 32, outputType: 'encoded' });

let nobody: Promise<string> | undefined;

/** Takes as long for a name that nobody has: who is asked for must not show in the time. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  nobody ??= hashPassword(randomBytes(16).toString('hex'));
  // The library refuses an empty one, and nobody has it.
  const isRight = await argon2Verify({ password: password || ' ', hash: hash ?? (await nobody) });
  return isRight && hash !== undefined && password !== '';
}
