import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import type { Decision } from '../../model/decision.ts';
import { pagesIn } from './decided-pages.ts';

const decided = (target: string, kind: 'in' | 'out' = 'in'): Decision => ({
  ...{ id: '1', target, act: { kind }, by: 'A', why: 'knows it', at: 1 },
});

it('a site that answers over http alone => its front page over http, and it is said; pages as they are', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const said: string[] = [];
  const options = {
    allowPrivate: true,
    // Not a loopback name, but it resolves to loopback.
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    say: (sentence: string) => void said.push(sentence),
  };
  try {
    const decisions = [
      decided(`plain.test:${port}`),
      decided('https://page.test/a'),
      decided('no.test', 'out'),
      decided('shop.test/*'),
      decided('127.0.0.9:81'),
    ];
    expect(await pagesIn(decisions, () => true, options)).toEqual([
      `http://plain.test:${port}/`,
      'https://page.test/a',
      'http://127.0.0.9:81/',
    ]);
    expect(said.join()).toMatch(/does not answer \(.+\): asking http:/);
    expect(await pagesIn(decisions, (url) => url.includes('page'), options)).toEqual(['https://page.test/a']);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
