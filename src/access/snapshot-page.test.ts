import { expect, it } from 'vitest';
import type { PageSnapshot, SnapshotStyle } from '../model/page-snapshot.ts';
import { snapshotPage } from './snapshot-page.ts';

const STYLE: SnapshotStyle = {
  display: 'block',
  position: 'static',
  float: 'none',
  background: '#102030',
  paints: true,
  backgroundImage: false,
  color: '#fff',
  fontSize: 16,
  fontWeight: 400,
  fontFamily: 'serif',
  borders: [false, false, false, false],
};
const page = (style: Partial<SnapshotStyle>, nodes: PageSnapshot['nodes']): PageSnapshot => ({
  format: 1,
  url: 'http://x.org/',
  title: '',
  language: '',
  viewport: { width: 100, height: 100 },
  page: { width: 100, height: 200 },
  styles: [
    { ...STYLE, ...style },
    { ...STYLE, display: 'inline', paints: false },
  ],
  nodes,
  facts: [],
});
const body = {
  kind: 'element',
  parent: -1,
  box: [0, 0, 100, 200],
  tag: 'body',
  style: 0,
  attributes: {},
} as const;

it('a text at 10, 20 inside a block at 10, 10 => placed against that block', () => {
  const html = snapshotPage(
    page({}, [
      body,
      { ...body, parent: 0, box: [10, 10, 50, 40], tag: 'div' },
      { kind: 'text', parent: 1, box: [10, 20, 40, 16], text: 'words' },
    ]),
  );
  expect(html).toContain('left:10px;top:10px;width:50px;height:40px');
  expect(html).toMatch(
    /left:0px;top:10px;width:42px;height:16px;white-space:nowrap;line-height:16px[^>]*>words</,
  );
  expect(html).toContain('width:100px;height:200px;background:#102030');
});

it('values that would be markup, style or script => escaped or left out', () => {
  const evil = 'red;background:url(http://y.org/)';
  const hostile = { href: 'javascript:alert(1)', src: 'javascript:alert(1)', alt: '"><script>' };
  const html = snapshotPage(
    page({ background: evil, color: evil, fontFamily: 'a;}</style>' }, [
      body,
      { kind: 'text', parent: 0, box: [0, 0, 10, 10], text: '<script>alert(1)</script>' },
      { ...body, parent: 0, tag: 'img', attributes: hostile },
      { ...body, parent: 0, tag: 'a', style: 1, attributes: hostile },
      { kind: 'text', parent: 3, box: [0, Number.NaN, 10, 10], text: 'link' },
    ]),
  );
  expect(html).not.toMatch(/<script|javascript:|url\(|<\/style|NaN|<a /);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

it('texts with room between them => a blank; without => none', () => {
  const at = (x: number, text: string) => ({ kind: 'text', parent: 0, box: [x, 0, 10, 16], text }) as const;
  expect(snapshotPage(page({}, [body, at(0, 'a'), at(15, 'b'), at(25, 'c')]))).toContain('>a bc<');
});
