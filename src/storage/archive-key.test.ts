import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addKey, archiveSigner, knownKeys, openSigner, replaceKey, rotateKey } from './archive-key.ts';
import {
  fingerprint,
  isSignedBy,
  KeyError,
  newPrivateKey,
  publicKeyOf,
  publicKeyPem,
  signerOf,
} from './ed25519.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('Ed25519', () => {
  test('RFC 8032 §7.1, test 2 => its public key and signature', () => {
    const seed = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
    const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
    const pem = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
    const signer = signerOf(pem);
    expect(Buffer.from(signer.publicKey, 'base64').subarray(-32).toString('hex')).toBe(
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    );
    expect(Buffer.from(signer.sign(Uint8Array.of(0x72)), 'base64').toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });

  test('any byte of message, key or signature changed => not signed', () => {
    const signer = signerOf(newPrivateKey());
    const message = Buffer.from('{"a":1}');
    const signature = signer.sign(message);
    expect(isSignedBy(signer.publicKey, message, signature)).toBe(true);
    const flip = (bytes: Buffer, bit: number): Buffer => {
      const other = Buffer.from(bytes);
      const at = Math.floor(bit / 8) % other.length;
      other[at] = (other[at] as number) ^ (1 << (bit % 8));
      return other;
    };
    const key = Buffer.from(signer.publicKey, 'base64');
    for (let bit = 0; bit < 512; bit++) {
      expect(isSignedBy(signer.publicKey, flip(message, bit), signature)).toBe(false);
      const bent = flip(Buffer.from(signature, 'base64'), bit).toString('base64');
      expect(isSignedBy(signer.publicKey, message, bent)).toBe(false);
      expect(isSignedBy(flip(key, bit).toString('base64'), message, signature)).toBe(false);
    }
  });

  test('the same signature bytes in another spelling => not signed', () => {
    const signer = signerOf(newPrivateKey());
    const signature = signer.sign(Buffer.from('x'));
    expect(isSignedBy(signer.publicKey, Buffer.from('x'), signature.replace(/=+$/, ''))).toBe(false);
    expect(isSignedBy(signer.publicKey, Buffer.from('x'), `${signature}\n`)).toBe(false);
  });

  test('a key for RSA, or no key at all => KeyError', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(() => signerOf(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow(
      KeyError,
    );
    expect(() => publicKeyOf('hello')).toThrow(KeyError);
  });

  test('openssl checks a signature with the exported key, where it is installed', async ({ skip }) => {
    try {
      execFileSync('openssl', ['version']);
    } catch {
      skip('openssl is not installed');
    }
    const signer = signerOf(newPrivateKey());
    const message = Buffer.from('{"statement":"ü"}');
    const path = (name: string): string => join(root, name);
    await writeFile(path('key.pem'), publicKeyPem(signer.publicKey));
    await writeFile(path('statement.json'), message);
    await writeFile(path('signature'), Buffer.from(signer.sign(message), 'base64'));
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', path('key.pem'), '-rawin'];
    const said = execFileSync('openssl', [
      ...args,
      '-in',
      path('statement.json'),
      '-sigfile',
      path('signature'),
    ]);
    expect(said.toString()).toContain('Signature Verified Successfully');
  });
});

describe('the key of an archive', () => {
  test('first use => a private key that only its owner reads, and its public half in the list', async () => {
    expect(await archiveSigner(root)).toBeUndefined();
    const signer = await openSigner(root, 1000);
    expect((await openSigner(root, 2000)).publicKey).toBe(signer.publicKey);
    const info = await stat(join(root, 'keys', 'private.pem'));
    expect((info.mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(join(root, 'keys'))).mode & 0o777).toString(8)).toBe('700');
    expect(await knownKeys(root)).toEqual([
      {
        publicKey: signer.publicKey,
        fingerprint: fingerprint(signer.publicKey),
        addedAt: 1000,
        origin: 'own',
      },
    ]);
    expect(await readFile(join(root, 'keys', 'keys.json'), 'utf8')).not.toContain('PRIVATE');
    expect((await readdir(join(root, 'keys'))).sort()).toEqual(['keys.json', 'private.pem']);
  });

  test('rotate => the new key signs, the old one is retired and still known', async () => {
    const old = await openSigner(root, 1000);
    const signer = await rotateKey(root, 5000);
    expect(signer.publicKey).not.toBe(old.publicKey);
    expect((await openSigner(root, 6000)).publicKey).toBe(signer.publicKey);
    expect((await knownKeys(root)).map(({ publicKey, retiredAt }) => [publicKey, retiredAt])).toEqual([
      [old.publicKey, 5000],
      [signer.publicKey, undefined],
    ]);
  });

  test('an imported private key signs; one that was retired may return', async () => {
    const pem = newPrivateKey();
    const first = await replaceKey(root, pem, 1000);
    await rotateKey(root, 2000);
    await replaceKey(root, pem, 3000);
    const keys = await knownKeys(root);
    expect(keys.map(({ retiredAt }) => retiredAt)).toEqual([undefined, 3000]);
    expect((await archiveSigner(root))?.publicKey).toBe(first.publicKey);
  });

  test('a foreign key: imported => trusted by the user, never less again', async () => {
    const { publicKey } = signerOf(newPrivateKey());
    expect((await addKey(root, publicKey, 'imported', 1, 'a.wacz')).origin).toBe('imported');
    expect((await addKey(root, publicKeyPem(publicKey), 'trusted', 2)).origin).toBe('trusted');
    expect((await addKey(root, publicKey, 'imported', 3)).origin).toBe('trusted');
    expect(await knownKeys(root)).toHaveLength(1);
  });

  test('several open the signer of a folder without a key at once => one key, in the list', async () => {
    const signers = await Promise.all(Array.from({ length: 8 }, () => openSigner(root, 1)));
    expect(new Set(signers.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect((await knownKeys(root)).map(({ publicKey }) => publicKey)).toEqual([signers[0]?.publicKey]);
    expect((await readdir(join(root, 'keys'))).sort()).toEqual(['keys.json', 'private.pem']);
  });
});
