import { expect, test } from 'vitest';
import { folded } from '../../science/sharpness/proof.ts';
import { pageText } from './page-text.ts';

test.each([
  ['<p>Price<b>less</b> and <i>free</i></p><p>of charge</p>', 'priceless and free of charge'],
  ['<title>free</title><script>"free"</script><style>free{}</style><!-- free --><p>paid', 'paid'],
  ['<noscript>free</noscript><template><p>free</p></template><p title="free" data-x="free">paid</p>', 'paid'],
  ['<td>one</td><td>two</td><br>three', 'one two three'],
  ['A &amp; B&nbsp;C &#8212; D', 'a & b c — d'],
  ['<textarea>kept</textarea>', 'kept'],
  ['', ''],
])('%s => %s', (html, text) => {
  expect(folded(pageText(html))).toBe(text);
});
