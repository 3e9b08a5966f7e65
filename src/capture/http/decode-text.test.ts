import { describe, expect, test } from 'vitest';
import { charsetOf, decodeText } from './decode-text.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('decodeText', () => {
  test.each<[string, Uint8Array, string, string, string]>([
    [
      'UTF-8 mark beats the header',
      latin1('\xef\xbb\xbfcaf\xc3\xa9'),
      'text/html; charset=iso-8859-1',
      'café',
      'utf-8',
    ],
    [
      // Between the escapes, `<!--` is two characters of JIS X 0208, not a comment.
      'ISO-2022-JP that hides a tag from a reader of bytes',
      latin1('\x1b$B<!--\x1b(B<script>'),
      'text/html; charset=iso-2022-jp',
      '次⑬<script>',
      'iso-2022-jp',
    ],
    ['UTF-16LE mark', latin1('\xff\xfea\0b\0'), '', 'ab', 'utf-16le'],
    ['UTF-16BE mark', latin1('\xfe\xff\0a\0b'), '', 'ab', 'utf-16be'],
    ['header', latin1('caf\xe9'), 'text/html; charset=ISO-8859-1', 'café', 'windows-1252'],
    [
      'header beats meta',
      latin1('<meta charset=utf-8>\xe9'),
      'text/html;charset=latin1',
      '<meta charset=utf-8>é',
      'windows-1252',
    ],
    ['unknown label in the header', latin1('caf\xc3\xa9'), 'text/html; charset=klingon', 'café', 'utf-8'],
    [
      'meta charset',
      latin1('<meta charset="shift_jis">\x82\xa0'),
      '',
      '<meta charset="shift_jis">あ',
      'shift_jis',
    ],
    [
      'meta http-equiv',
      latin1('<META http-equiv=Content-Type content="text/html; charset=windows-1251">\xcf'),
      '',
      '<META http-equiv=Content-Type content="text/html; charset=windows-1251">П',
      'windows-1251',
    ],
    [
      'meta in a comment',
      latin1('<!-- <meta charset=koi8-r> -->\xe9'),
      '',
      '<!-- <meta charset=koi8-r> -->é',
      'windows-1252',
    ],
    ['meta that says UTF-16', latin1('<meta charset=utf-16>\xc3\xa9'), '', '<meta charset=utf-16>é', 'utf-8'],
    [
      'XML declaration',
      latin1('<?xml version="1.0" encoding="koi8-r"?>\xf0'),
      '',
      '<?xml version="1.0" encoding="koi8-r"?>П',
      'koi8-r',
    ],
    ['nothing said, valid UTF-8', latin1('caf\xc3\xa9'), '', 'café', 'utf-8'],
    [
      'nothing said, valid UTF-8 cut in a character',
      latin1('caf\xc3\xa9 \xe2\x82'),
      '',
      'café \ufffd',
      'utf-8',
    ],
    ['nothing said, no UTF-8', latin1('caf\xe9 \x80'), '', 'café €', 'windows-1252'],
    ['invalid bytes in UTF-8', latin1('a\xffb'), 'text/html; charset=utf-8', 'a\ufffdb', 'utf-8'],
    ['empty', new Uint8Array(0), '', '', 'utf-8'],
  ])('%s', (_name, bytes, contentType, text, encoding) => {
    expect(decodeText(bytes, contentType)).toEqual({ text, encoding });
  });

  test('meta past 1024 bytes => not looked at', () => {
    const bytes = latin1(`${' '.repeat(1024)}<meta charset=koi8-r>\xe9`);
    expect(decodeText(bytes).encoding).toBe('windows-1252');
  });

  test('every byte value, every label => no throw', () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, i) => i % 256);
    for (const label of [
      'utf-8',
      'utf-16le',
      'gb18030',
      'euc-kr',
      'big5',
      'iso-2022-jp',
      'x-user-defined',
      '\0',
      '',
    ])
      expect(decodeText(bytes, `text/html; charset=${label}`).text.length).toBeGreaterThan(0);
  });
});

test.each([
  ['text/html; charset=utf-8', 'utf-8'],
  ['text/html; Charset = "UTF-8" ; x=y', 'UTF-8'],
  ["text/html;charset='utf-8'", 'utf-8'],
  ['text/html', undefined],
])('charsetOf(%j) => %j', (contentType, charset) => {
  expect(charsetOf(contentType)).toBe(charset);
});
