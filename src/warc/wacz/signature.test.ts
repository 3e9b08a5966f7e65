import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { jsonObject } from './pages-file.ts';
import { readWacz } from './read.ts';
import { checkSignature, judge } from './signature.ts';

const HASH = `sha256:${createHash('sha256').update('{}').digest('hex')}`;

/** As ArchiveWeb.page signs: ECDSA on P-384 in the browser, which writes the two numbers one after the other. */
function anonymous(hash = HASH, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  return {
    hash,
    created: '2026-01-02T03:04:05Z',
    software: 'a browser',
    signature: sign('sha256', Buffer.from(hash), { key: privateKey, dsaEncoding }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

describe('anonymous signatures', () => {
  test.each(['ieee-p1363', 'der'] as const)(
    'of the package that is there (%s) => valid, by a key',
    (encoding) => {
      expect(judge(anonymous(HASH, encoding), HASH)).toMatchObject({
        verdict: 'valid',
        kind: 'anonymous',
        by: expect.stringMatching(/^key sha256:[0-9a-f]{64}$/),
        reasons: ['nobody says whose key it is'],
      });
    },
  );

  test.each([
    ['of another package', () => anonymous(`sha256:${'0'.repeat(64)}`), 'another datapackage.json'],
    [
      'with the hash exchanged',
      () => ({ ...anonymous(`sha256:${'0'.repeat(64)}`), hash: HASH }),
      'does not fit',
    ],
    ['by another key', () => ({ ...anonymous(), publicKey: anonymous().publicKey }), 'does not fit'],
    ['with a key that is none', () => ({ ...anonymous(), publicKey: 'AAAA' }), 'cannot be read'],
    ['without a key', () => ({ ...anonymous(), publicKey: '' }), 'neither a public key nor a certificate'],
    ['without a signature', () => ({ ...anonymous(), signature: undefined }), 'does not fit'],
  ])('%s => invalid', (_, signed, reason) => {
    const found = judge(signed(), HASH);
    expect(found.verdict).toBe('invalid');
    expect(found.reasons.join()).toContain(reason);
  });
});

const fixtures = sharedData('fixtures/py-wacz/tests/fixtures');

describe.skipIf(!fixtures)('signed by authsign (skipped where shared/data is absent)', () => {
  const open = (name: string) => readWacz(join(fixtures ?? '', name));

  test('valid_signed_example_1.wacz => valid, by its domain, with the time of the stamp', async () => {
    const wacz = await open('valid_signed_example_1.wacz');
    expect(await checkSignature(wacz)).toEqual({
      verdict: 'valid',
      kind: 'domain',
      by: 'btrix-sign-test.webrecorder.net',
      software: 'authsigner 0.3.0',
      created: '2022-01-18T19:00:12Z',
      timestamp: expect.stringMatching(/^2022-01-18T19:0\d:\d\d\.000Z$/),
      reasons: [],
    });
    await wacz.close();
  });

  test('valid_example_1.wacz => not signed', async () => {
    const wacz = await open('valid_example_1.wacz');
    expect(await checkSignature(wacz)).toEqual({ verdict: 'none', reasons: [] });
    await wacz.close();
  });

  test.each([
    ['hash', `sha256:${'0'.repeat(64)}`, 'another datapackage.json'],
    ['domain', 'example.org', 'the certificate is not for example.org'],
    ['created', '2022-01-18T18:00:12Z', 'but stamped at'],
    ['created', '2020-01-18T18:00:12Z', 'was not valid at'],
    ['timestampCert', '', "authority's certificate cannot be read"],
    ['timeSignature', Buffer.from('3003020100', 'hex').toString('base64'), 'cannot be read'],
    ['timeSignature', 'AAAA', 'refused it'],
    [
      'domainCert',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'certificate cannot be read',
    ],
  ])('%s changed => invalid', async (field, value, reason) => {
    const wacz = await open('valid_signed_example_1.wacz');
    const entry = wacz.entry('datapackage-digest.json');
    if (!entry) throw new Error('no datapackage-digest.json');
    const json = jsonObject(await wacz.zip.text(entry, 1 << 20));
    await wacz.close();
    const signed = json?.signedData as Record<string, unknown>;
    const found = judge({ ...signed, [field]: value }, String(json?.hash));
    expect(found.verdict).toBe('invalid');
    expect(found.reasons.join('; ')).toContain(reason);
  });

  test('every byte of the timestamp changed in turn => never valid with another time, no exception', async () => {
    const wacz = await open('valid_signed_example_1.wacz');
    const entry = wacz.entry('datapackage-digest.json');
    if (!entry) throw new Error('no datapackage-digest.json');
    const json = jsonObject(await wacz.zip.text(entry, 1 << 20));
    await wacz.close();
    const signed = json?.signedData as Record<string, string>;
    const stamp = Buffer.from(signed.timeSignature ?? '', 'base64');
    const { timestamp } = judge(signed, String(json?.hash));
    for (let i = 0; i < stamp.length; i += 7) {
      const changed = Buffer.from(stamp);
      changed[i] = (changed[i] as number) ^ 0x41;
      const found = judge({ ...signed, timeSignature: changed.toString('base64') }, String(json?.hash));
      // Unsigned parts may change: the serial of the signer, the status text.
      if (found.verdict === 'valid') expect(found.timestamp).toBe(timestamp);
    }
  });
});
