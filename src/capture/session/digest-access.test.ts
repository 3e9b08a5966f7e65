import { describe, expect, test } from 'vitest';
import { digestAnswer, digestChallenge } from './digest-access.ts';

/** The example of RFC 7616, 3.9.1. */
const NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
const OPAQUE = 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS';
const field = (algorithm: string): string =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${NONCE}", opaque="${OPAQUE}"`;
const USER = { user: 'Mufasa', password: 'Circle of Life' };
const REQUEST = {
  method: 'GET',
  uri: '/dir/index.html',
  count: 1,
  clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};
const answerTo = (...fields: string[]): string | undefined => {
  const challenge = digestChallenge(fields.map((value) => ['WWW-Authenticate', value]));
  return challenge && digestAnswer(challenge, USER, REQUEST);
};

describe('the examples of RFC 7616', () => {
  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('%s => %s', (algorithm, response) => {
    const answer = answerTo(field(algorithm));
    expect(answer).toContain(`response="${response}"`);
    expect(answer).toContain('qop=auth, nc=00000001');
    expect(answer).toContain(`opaque="${OPAQUE}"`);
    expect(answer).not.toContain('Circle');
  });

  test('the first that we can answer is taken; Basic, strange algorithms and auth-int alone are passed over', () => {
    expect(answerTo('Basic realm="a, b"', field('SHA-256'), field('MD5'))).toContain('algorithm=SHA-256');
    expect(answerTo(field('SHA-3'), field('MD5'))).toContain('algorithm=MD5');
    expect(answerTo(`Basic realm="x", ${field('MD5')}`)).toContain('algorithm=MD5');
    expect(answerTo(`${field('MD5')}, Basic realm="x"`)).toContain('realm="http-auth@example.org"');
    expect(answerTo('Basic realm="digest realm=1"')).toBeUndefined();
    expect(answerTo('Digest realm="x", nonce="n", qop="auth-int"')).toBeUndefined();
    expect(answerTo('Digest nonce="n"')).toBeUndefined();
  });

  test('without qop => the older form; a name with quotes is escaped; a hashed name is not told', () => {
    const plain = digestChallenge([['www-authenticate', 'Digest realm="r", nonce="n"']]);
    expect(plain && digestAnswer(plain, { user: 'a"b', password: 'p' }, REQUEST)).toMatch(
      /^Digest username="a\\"b", realm="r", nonce="n", uri="\/dir\/index.html", response="[0-9a-f]{32}", algorithm=MD5$/,
    );
    const hashed = answerTo(`${field('SHA-256')}, userhash=true`);
    expect(hashed).not.toContain('Mufasa');
    expect(hashed).toContain('userhash=true');
  });
});
