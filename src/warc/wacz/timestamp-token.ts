import { createHash, verify, type X509Certificate } from 'node:crypto';
import type { Millis } from '../../model/time.ts';
import { type DerElement, DerFault, derElement, derElements } from './der.ts';

/*
 * Reads a timestamp of RFC 3161: a CMS message (RFC 5652) of a timestamping authority, which says that it saw
 * a digest at a time. The cryptography is node:crypto's; only the frame is parsed here.
 */

const OID = {
  signedData: '06092a864886f70d010702',
  tstInfo: '060b2a864886f70d0109100104',
  messageDigest: '06092a864886f70d010904',
} as const;

const HASHES: Readonly<Record<string, string>> = {
  '06052b0e03021a': 'sha1',
  '0609608648016503040201': 'sha256',
  '0609608648016503040202': 'sha384',
  '0609608648016503040203': 'sha512',
};

/** When the authority saw `data`, by its own clock, or what is wrong with the token. */
export function checkTimestamp(token: Buffer, data: Buffer, authority: X509Certificate): Millis | string {
  try {
    return check(token, data, authority);
  } catch (error) {
    if (error instanceof DerFault) return `the timestamp cannot be read: ${error.message}`;
    throw error;
  }
}

function check(token: Buffer, data: Buffer, authority: X509Certificate): Millis | string {
  const [status, message] = derElements(derElement(token).content);
  const granted = status && derElements(status.content)[0]?.content[0];
  if (granted === undefined || granted > 1) return 'the timestamping authority refused it';
  const [type, wrapped] = parts(message);
  if (hex(type) !== OID.signedData) return 'the timestamp is no signed message';
  const signed = parts(derElements(need(wrapped).content)[0]);
  const encapsulated = parts(signed[2]);
  if (hex(encapsulated[0]) !== OID.tstInfo) return 'the timestamp holds something else';
  const info = need(derElements(need(encapsulated[1]).content)[0]).content;
  const signers = derElements(need(signed.at(-1)).content);

  const stated = derElements(derElement(info).content);
  const [algorithm, imprint] = parts(stated[2]);
  const hash = hashName(parts(algorithm)[0]);
  if (!createHash(hash).update(data).digest().equals(need(imprint).content))
    return 'the timestamp is for something else';

  if (!signers.some((signer) => isSignedBy(signer, info, authority)))
    return 'the timestamp is not signed by the certificate beside it';
  return generalizedTime(need(stated[4]));
}

function isSignedBy(signer: DerElement, info: Buffer, authority: X509Certificate): boolean {
  const fields = derElements(signer.content);
  const hash = hashName(parts(fields[2])[0]);
  const attributes = fields[3];
  // Without signed attributes the content itself would be signed; timestamps always have them.
  if (attributes?.tag !== 0xa0) return false;
  const told = derElements(attributes.content)
    .map((attribute) => derElements(attribute.content))
    .find(([name]) => hex(name) === OID.messageDigest);
  const digest = told?.[1] && derElements(told[1].content)[0]?.content;
  if (!digest?.equals(createHash(hash).update(info).digest())) return false;
  // Signed as a SET, stored as the first optional element: only the tag differs.
  const set = Buffer.concat([Buffer.from([0x31]), attributes.whole.subarray(1)]);
  const signature = fields.slice(4).find(({ tag }) => tag === 0x04);
  return verify(hash, set, authority.publicKey, need(signature).content);
}

function parts(element: DerElement | undefined): DerElement[] {
  return derElements(need(element).content);
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new DerFault('a part is missing');
  return value;
}

const hex = (element: DerElement | undefined): string => need(element).whole.toString('hex');

function hashName(algorithm: DerElement | undefined): string {
  const name = HASHES[hex(algorithm)];
  if (name === undefined) throw new DerFault('its hash algorithm is unknown');
  return name;
}

/** `20220118190013Z`, with or without a fraction. */
function generalizedTime({ tag, content }: DerElement): Millis {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(content.toString('latin1'));
  if (tag !== 0x18 || !match) throw new DerFault('its time is none');
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
}
