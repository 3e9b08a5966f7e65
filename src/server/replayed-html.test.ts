import { describe, expect, it } from 'vitest';
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
    ['<link rel="&#112;re&#X43onnect" href="//a">&nbsp;', '&nbsp;'],
    ['<link rel="dns&#0000045;prefetch" href="//a">', ''],
    ['<meta http-equiv="set&#x2d;cookie" content="a=b">', ''],
    ['<p title="a&#8217;b">&#99999999999;', '<p title="a&#8217;b">&#99999999999;'],
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
