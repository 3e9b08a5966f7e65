import { expect, test } from 'vitest';
import { looksOf } from './shown-versions.ts';

test.each([
  ['the same bytes again => as before', ['a:1', 'a'], [1, 1]],
  ['other bytes, which nobody looked at => unknown', ['a:1', 'b'], [1, undefined]],
  ['the bytes of an older version, after another => as the older one', ['a:1', 'b:2', 'a'], [1, 2, 1]],
  ['looked at again, and other to a reader => each as it was seen', ['a:1', 'a:2', 'a'], [1, 2, 2]],
  ['before anybody looked => unknown', ['a', 'a:1'], [undefined, 1]],
  ['no digest => nothing is said of equal bytes', [':1', ''], [1, undefined]],
])('%s', (_, given, expected) => {
  const versions = given.map((text) => {
    const [payload = '', look] = text.split(':');
    return { payload, ...(look !== undefined && { look: Number(look) }) };
  });
  expect(looksOf(versions)).toEqual(expected);
});
