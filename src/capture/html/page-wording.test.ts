import { expect, it } from 'vitest';
import { pageWording } from './page-wording.ts';

it('a front page => its names, links with what they say, paragraphs without those', () => {
  const html = `<!doctype html><title>Courier –
    news</title><style>p{}</style><script>var x = "<p>no";</script>
    <h1>The <em>Courier</em></h1><nav><a href="/about">About</a><a name=top>no link</a></nav>
    <ul><li><a href="a.html#x">Harbour <b>closed</b></a> for&nbsp;an hour</li><li><a href="javascript:x()">x</a></ul>
    <p>7 ships<br>wait</p><a href="//other.example/">elsewhere`;
  expect(pageWording(html, 'https://example.org/news/')).toEqual({
    names: ['Courier – news', 'The Courier'],
    links: [
      { url: 'https://example.org/about', label: 'About' },
      { url: 'https://example.org/news/a.html', label: 'Harbour closed' },
      { url: 'https://other.example/', label: 'elsewhere' },
    ],
    texts: ['The Courier', 'no link', 'for an hour', '7 ships', 'wait'],
  });
});

it.each([
  ['<base href="https://cdn.example/x/"><a href=y>label</a>', 'https://cdn.example/x/y'],
  ['<base href="http://[broken"><a href=y>label</a>', 'https://example.org/y'],
])('%s => %s', (html, url) => expect(pageWording(html, 'https://example.org/').links[0]?.url).toBe(url));

it('nothing => nothing', () =>
  expect(pageWording('', 'https://example.org/')).toEqual({ names: [], links: [], texts: [] }));
