import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { campaignAt, rotationTimes, stripNoise } from './ads.ts';
import { fillHoles, hole, textBody } from './parts.ts';
import { pdfOf } from './pdf.ts';
import { encodePng } from './png.ts';
import { svgOf } from './svg.ts';

describe('encodePng', () => {
  it('3×2 pixels => header, chunks and pixels as the standard says', () => {
    const png = encodePng(3, 2, (x) => (y) => [Math.round(x * 255), Math.round(y * 255), 7]);
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3, 2]);
    const at = png.indexOf('IDAT');
    const raw = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    expect(raw.length).toBe(2 * (1 + 3 * 3));
    // Filter "up": the second row is stored as differences to the first.
    const undo = [...raw.subarray(11)].map((d, i) => (d + (raw[1 + i] ?? 0)) & 0xff);
    expect([...raw.subarray(1, 10)]).toEqual([43, 64, 7, 128, 64, 7, 213, 64, 7]);
    expect(undo).toEqual([43, 191, 7, 128, 191, 7, 213, 191, 7]);
    expect(png.subarray(-8).toString('hex')).toBe('49454e44ae426082');
  });
});

describe('pdfOf', () => {
  it('the cross-reference table => points at each object', () => {
    const items = [{ key: 'a', label: 'A (b) “c”', text: 'd' }];
    const pdf = pdfOf({ title: 'Paper – 1', blocks: [{ id: 'p', role: 'data', weight: 1, items }] }).toString(
      'latin1',
    );
    const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
    expect(pdf.startsWith('xref', start)).toBe(true);
    const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n /gm)].map((m) => Number(m[1]));
    expect(offsets).toHaveLength(6);
    offsets.forEach((offset, i) => {
      expect(pdf.startsWith(`${i + 1} 0 obj`, offset)).toBe(true);
    });
    expect(pdf).toContain('(A \\(b\\) \\223c\\224) Tj');
    const [, length, body = ''] = /\/Length (\d+) >>\nstream\n(.*?)\nendstream/s.exec(pdf) ?? [];
    expect(body.length).toBe(Number(length));
  });
});

describe('parts', () => {
  it('holes => filled in their places', () => {
    const body = textBody(`a${hole('ad:top')}b${hole('origin')}c`);
    if (body.kind !== 'text') throw new Error('text expected');
    expect(fillHoles(body.parts, (name) => `[${name}]`)).toBe('a[ad:top]b[origin]c');
  });
});

describe('ads', () => {
  it('between two rotations => one campaign; at a rotation => drawn anew', () => {
    const [first = 0, second = 0] = rotationTimes(1, 'top', 1e12, 1e12 + 1e7, 60_000);
    expect(second - first).toBe(60_000);
    expect(campaignAt(1, '/', 'top', first, 60_000)).toBe(campaignAt(1, '/', 'top', second - 1, 60_000));
    const drawn = rotationTimes(1, 'top', 1e12, 1e12 + 3e6, 60_000).map((at) =>
      campaignAt(1, '/', 'top', at, 60_000),
    );
    expect(new Set(drawn).size).toBeGreaterThan(3);
  });

  it('stripNoise => without ads, nonce and csrf', () => {
    const html =
      'x<aside class="ad-slot" data-slot="top"><b>ad</b></aside>\ny<meta name="request-id" content="0f">\nz<input name="csrf" value="0f">';
    expect(stripNoise(html)).toBe('xyz<input name="csrf" value="">');
  });
});

describe('svgOf', () => {
  it('same description => same picture; another => another', () => {
    expect(svgOf('scene sport 1 1 1')).toBe(svgOf('scene sport 1 1 1'));
    expect(svgOf('scene sport 1 1 1')).not.toBe(svgOf('scene sport 1 2 1'));
  });
});
