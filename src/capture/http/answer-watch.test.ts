import { expect, it } from 'vitest';
import { AnswerWatch } from './answer-watch.ts';

const URL_ = 'http://example.org/';

/**
 * What is reported of one answer whose wire bytes come in pieces of `size`, and whose connection then ends.
 */
function told(wire: string, { method = 'GET', size = 1000 } = {}): boolean[] {
  const answers: boolean[] = [];
  const watch = new AnswerWatch((_, isWhole) => answers.push(isWhole));
  watch.begin(method, URL_);
  const bytes = Buffer.from(wire, 'latin1');
  for (let at = 0; at < bytes.length; at += size) watch.take(bytes.subarray(at, at + size));
  watch.end();
  return answers;
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const CASES: readonly (readonly [title: string, wire: string, told: boolean[]])[] = [
  ['chunks with their end => whole', `${CHUNKED}3\r\nabc\r\n0\r\n\r\n`, [true]],
  ['chunks without their end => cut', `${CHUNKED}3\r\nabc\r\n`, [false]],
  ['a length, all of it => whole', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc', [true]],
  ['a length, less => cut', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc', [false]],
  ['no length => the end cannot be told from a break', 'HTTP/1.1 200 OK\r\n\r\nabc', []],
  [
    '103, then chunks without their end => cut',
    `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${CHUNKED}3\r\nab`,
    [false],
  ],
  ['no HTTP => nothing', 'hello\r\n\r\n', []],
];

it.each(CASES)('%s', (_, wire, expected) => {
  for (const size of [1, 7, 1000]) expect(told(wire, { size })).toEqual(expected);
});

it('HEAD => no body is awaited', () => {
  expect(told('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { method: 'HEAD' })).toEqual([]);
});
