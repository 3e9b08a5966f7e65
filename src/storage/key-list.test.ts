import { expect, test } from 'vitest';
import { KeyFileFault, type KnownKey, readKeyList, writeKeyList } from './key-list.ts';

const key: KnownKey = { publicKey: 'k', fingerprint: 'f', addedAt: 1, origin: 'own' };
const text = writeKeyList([key, { ...key, origin: 'trusted', note: 'a.pem', retiredAt: 2 }]);

test('written, then read => the same keys', () => {
  expect(readKeyList(text, 'keys.json')).toEqual([
    key,
    { ...key, origin: 'trusted', note: 'a.pem', retiredAt: 2 },
  ]);
});

test('a list from before versions => its keys', () => {
  expect(readKeyList(JSON.stringify({ keys: [key] }), 'keys.json')).toEqual([key]);
});

function fault(of: string): KeyFileFault {
  try {
    readKeyList(of, 'keys.json');
  } catch (error) {
    if (error instanceof KeyFileFault) return error;
    throw error;
  }
  return expect.unreachable('it was read');
}

test('cut at any byte => damaged, and the message names the file', () => {
  for (let length = 0; length < text.trimEnd().length; length++) {
    const { kind, message } = fault(text.slice(0, length));
    expect(kind).toBe('damaged');
    expect(message).toMatch(/^keys\.json /);
  }
});

test.each(['null', '[]', '7', '"x"', '{}', '{"keys":{}}', '{"keys":[null]}', '{"keys":[{"origin":"own"}]}'])(
  '%s => damaged',
  (of) => {
    expect(fault(of).kind).toBe('damaged');
  },
);

test('a list of a later version => newer', () => {
  expect(fault('{"version":2,"keys":"in another form"}')).toMatchObject({
    kind: 'newer',
    message: expect.stringContaining('use the newer Daguerre'),
  });
});
