import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { cut, element, page, uncut } from '../../../test/drawn-page.ts';
import type { Block, Layout, Segment } from '../../model/layout.ts';
import { layoutOf } from './layout-of.ts';
import { parseViXml, ViXmlError, writeViXml } from './vi-xml.ts';

const SCHEMA = readFileSync(new URL('../../../schemas/vi-xml.xsd', import.meta.url), 'utf8');

async function validate(...documents: string[]) {
  const xml = documents.map((contents, i) => ({ fileName: `${i}.xml`, contents }));
  const { valid, errors } = await validateXML({ xml, schema: [SCHEMA] });
  return { valid, errors: errors.map((error) => error.message) };
}

const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0x20, max: 0x7e })), {
    maxLength: 12,
  })
  .map((codes) => String.fromCharCode(...codes));
const id = fc.stringMatching(/^[0-9a-f]{32}$/);
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e5, max: 1e5 }).map((n) => n + 0);
const ad = fc.constantFrom({}, { advertisement: true as const });
const share = fc.double({ noNaN: true, min: 0, max: 1 }).map((n) => n + 0);

const link = fc
  .tuple(fc.record({ id, name: anyText, address: anyText }), ad)
  .map(([a, b]) => ({ ...a, ...b }));
const image = fc
  .tuple(
    fc.record(
      { id, name: anyText, source: anyText, digest: anyText },
      { requiredKeys: ['id', 'name', 'source'] },
    ),
    ad,
  )
  .map(([a, b]) => ({ ...a, ...b }));
const text = fc.record({ id, text: anyText });

const block = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.record({
    ref: fc.constantFrom('B1', 'B1.2', 'B1.10.3'),
    id,
    box: fc.tuple(number, number, number, number),
    doc: fc.integer({ min: 1, max: 11 }),
    importance: share,
    links: fc.array(link, { maxLength: 3 }),
    images: fc.array(image, { maxLength: 3 }),
    texts: fc.array(text, { maxLength: 3 }),
    blocks: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('block'), { maxLength: 3 })),
  }),
})).block as fc.Arbitrary<Block>;

const layouts: fc.Arbitrary<Layout> = fc.record({
  url: anyText,
  title: anyText,
  version: anyText,
  viewport: fc.record({ width: fc.nat(), height: fc.nat() }),
  segmenter: anyText,
  root: block,
});

test('any layout, written and parsed => the same layout', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      expect(parseViXml(writeViXml(layout))).toEqual(layout);
    }),
    { numRuns: 300 },
  );
});

test('layouts written as Vi-XML => valid against the schema', async () => {
  const result = await validate(...fc.sample(layouts, { numRuns: 40, seed: 4 }).map(writeViXml));
  expect(result).toEqual({ valid: true, errors: [] });
});

const snapshot = page(
  element(
    'body',
    { box: [0, 0, 1280, 600] },
    element('div', { id: 'top' }, element('img', { src: 'https://news.test/l.png', alt: 'A & "B"' })),
    element('div', { id: 'main' }, 'Text <1>', element('a', { href: 'https://news.test/?a=1&b=2' }, 'more')),
  ),
);
const small = layoutOf(snapshot, cut(snapshot, ['top', 'main']), {
  version: '2020-01-01T00:00:00Z',
  segmenter: 's/1',
});

test('a page of two blocks => this Vi-XML', async () => {
  const written = writeViXml(small);
  const named = written.replace(/"[0-9a-f]{32}"/g, '"…"');
  expect(named).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Document format="1" url="https://news.test/" title="Tiny" version="2020-01-01T00:00:00Z" viewport="1280 1024" segmenter="s/1">
<Block Ref="B1" ID="…" Pos="0 0 1280 600" DoC="5" importance="1" leaf="false">
<Block Ref="B1.1" ID="…" Pos="0 0 100 20" DoC="9" importance="0.5" leaf="true">
<Imgs>
<img ID="…" Name="A &amp; &quot;B&quot;" Src="https://news.test/l.png"/>
</Imgs>
</Block>
<Block Ref="B1.2" ID="…" Pos="0 0 100 20" DoC="9" type="16*2" importance="0.5" leaf="true">
<Links>
<link ID="…" Name="more" Adr="https://news.test/?a=1&amp;b=2"/>
</Links>
<Txts>
<txt ID="…">Text &lt;1&gt;</txt>
</Txts>
</Block>
</Block>
</Document>
`);
  expect(await validate(written)).toEqual({ valid: true, errors: [] });
});

test('Vi-XML with a part missing or wrong => refused by the schema and by the parser', async () => {
  const written = writeViXml(small);
  const wrong: readonly [string, RegExp][] = [
    [written.replace(' Ref="B1.1"', ''), /'Block' has no 'Ref'/],
    [written.replace('Pos="0 0 100 20"', 'Pos="0 0 100"'), /B1\.1: 'Pos' is '0 0 100' instead of 4 numbers/],
    [written.replace('importance="0.5"', 'importance="much"'), /B1\.1: 'importance' is 'much'/],
    [written.replaceAll('Imgs>', 'Pics>'), /B1\.1: 'Pics' is no part of a block/],
    [written.replace('format="1"', 'format="9"'), /format '9' is not known/],
    [written.replace('<link ', '<Link '), /B1\.2: 'Link' instead of 'link'/],
  ];
  for (const [source, problem] of wrong) {
    expect(() => parseViXml(source)).toThrow(ViXmlError);
    expect(() => parseViXml(source)).toThrow(problem);
    expect((await validate(source)).valid).toBe(false);
  }
});

test('2,000 blocks inside each other => written and parsed', () => {
  let segment: Segment = uncut(snapshot);
  for (let depth = 1; depth < 2000; depth++) segment = { ...segment, segments: [segment] };
  const layout = layoutOf(snapshot, segment, { version: 'v', segmenter: 's' });
  let read: Block | undefined = parseViXml(writeViXml(layout)).root;
  let depth = 1;
  for (; read.blocks[0]; read = read.blocks[0]) depth++;
  expect([depth, read.ref]).toEqual([2000, `B1${'.1'.repeat(1999)}`]);
});
