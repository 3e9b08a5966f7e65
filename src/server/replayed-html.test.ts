import { describe, expect, it } from 'vitest';
import { memoryBody } from '../model/body.ts';
import { decodedHtml } from './decoded-html.ts';
import { replayedHtml } from './replayed-html.ts';

const still = (html: string) => replayedHtml(html, { scripts: false });
const scripted = (html: string) => replayedHtml(html, { scripts: true });

describe('replayedHtml', () => {
  it.each([
    ['<link rel="DNS-Prefetch" href="//a">', ''],
    ['<link rel=" preconnect\tStyleSheet" href="a">', '<link rel="stylesheet" href="a">'],
    ['<meta http-equiv="x-dns-prefetch-control" content="on">', ''],
    ['<script type=SpeculationRules>{"prefetch":[]}</script><p>', '<p>'],
    [
      '<iframe srcdoc="<link rel=preconnect href=//a>b"></iframe>',
      '<iframe srcdoc="<script src=&quot;/static/guard.js&quot;></script>b"></iframe>',
    ],
    ['<p class=a>1 < 2 &amp; <br/>', '<p class=a>1 < 2 &amp; <br/>'],
    ['<script>"<link rel=preconnect>"</script>', '<script>"<link rel=preconnect>"</script>'],
    ['<embed src="a.pdf"><p>b', '<embed src="a.pdf"></embed><p>b'],
  ])('with scripts: %s => %s', async (html, expected) => {
    expect(await scripted(html)).toBe(expected);
  });

  it.each([
    ['<script>a</script>b<SCRIPT src=c></SCRIPT>', 'b'],
    ['<noscript><img src=a></noscript>', '<img src=a>'],
    ['<a ping="//a" href="b" onclick="c">', '<a href="b">'],
    ['<a href=" java\nscript:a">', '<a>'],
    ['<meta http-equiv=refresh content="0;url=//a">', ''],
    [
      '<iframe srcdoc="<p onclick=a title=\'&amp;\'><script>b</script>"></iframe>',
      '<iframe srcdoc="<p title=&quot;&amp;amp;&quot;>"></iframe>',
    ],
    ['<object data=a><p>b</p></object>', '<p>b</p>'],
    ['<svg><script>a</script><a xlink:href="javascript:b"></a></svg>', '<svg><a></a></svg>'],
  ])('without: %s => %s', async (html, expected) => {
    expect(await still(html)).toBe(expected);
  });
});

describe('decodedHtml', () => {
  const capture = (bytes: Buffer, type: string) =>
    ({ headers: [['Content-Type', type]], payload: memoryBody(bytes) }) as never;

  it('ISO-2022-JP that hides a tag from a reader of bytes => the text that the browser sees', async () => {
    // Between the escapes `<!--` is two characters of JIS X 0208, and no comment.
    const bytes = Buffer.from('\x1b$B<!--\x1b(B<script>', 'latin1');
    const text = await decodedHtml(capture(bytes, 'text/html; charset=iso-2022-jp'));
    expect(text).not.toContain('<!--');
    expect(text).toContain('<script>');
  });

  it('UTF-16 by header, an encoding in the document, none at all => decoded alike', async () => {
    const wide = Buffer.from('<p>ü', 'utf16le');
    expect(await decodedHtml(capture(wide, 'text/html;charset=utf-16le'))).toBe('<p>ü');
    const inside = Buffer.from('<meta charset=iso-8859-5>\xb0', 'latin1');
    expect(await decodedHtml(capture(inside, 'text/html'))).toContain('А');
    expect(await decodedHtml(capture(Buffer.from('ü', 'latin1'), 'text/html'))).toBe('ü');
    expect(await decodedHtml(capture(Buffer.from('ü'), 'text/html'))).toBe('ü');
  });
});
