import { expect, test } from 'vitest';
import { layout, text } from '../../../test/small-layout.ts';
import { KeptLayouts } from './kept-layouts.ts';
import { writeViXml } from './vi-xml.ts';

const small = (version: string) => layout([{ texts: [text('Rain is expected')] }], version);
const xmlOf = (version: string): string => writeViXml(small(version));

test('Vi-XML that was written or read before => its layout, not parsed again', () => {
  const kept = new KeptLayouts();
  const written = small('written');
  kept.keep(writeViXml(written), written);
  expect(kept.parse(writeViXml(written))).toBe(written);
  const read = kept.parse(xmlOf('read'));
  expect(kept.parse(xmlOf('read'))).toBe(read);
  expect(kept.spared).toBe(2);
});

test('seventeen layouts => the one used longest ago is parsed again', () => {
  const kept = new KeptLayouts();
  const first = kept.parse(xmlOf('0'));
  for (let i = 1; i <= 15; i++) kept.parse(xmlOf(String(i)));
  expect(kept.parse(xmlOf('0'))).toBe(first);
  kept.parse(xmlOf('16'));
  expect(kept.parse(xmlOf('0'))).toBe(first);
  const before = kept.spared;
  kept.parse(xmlOf('1'));
  expect(kept.spared).toBe(before);
});
