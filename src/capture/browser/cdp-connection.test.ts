import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BrowserGone, CdpConnection } from './cdp-connection.ts';

function connected() {
  const out = new PassThrough();
  const input = new PassThrough();
  return { connection: new CdpConnection(out, input), input };
}

test('a message in three pieces => one answer', async () => {
  const { connection, input } = connected();
  const answer = connection.browser.send('Browser.getVersion');
  for (const piece of ['{"id":1,', '"result":{"product":"x"}', '}\0']) input.write(piece);
  expect(await answer).toEqual({ product: 'x' });
});

test('the end of a message after its browser was killed => no error', async () => {
  const { connection, input } = connected();
  input.write('{"id":1,"result":{}}');
  await setImmediate();
  connection.end('killed');
  input.write('\0');
  await setImmediate();
  await expect(connection.browser.send('Browser.getVersion')).rejects.toThrow(BrowserGone);
});

test('what is no JSON => the browser counts as gone', async () => {
  const { connection, input } = connected();
  const answer = connection.browser.send('Browser.getVersion');
  input.write('{"id":1,\0');
  await expect(answer).rejects.toThrow('no message');
});
