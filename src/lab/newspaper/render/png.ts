/** A PNG writer for 8-bit RGB (ISO/IEC 15948): one IDAT, filter "up", which suits skies. */
import { crc32, deflateSync } from 'node:zlib';
import { stream } from '../random.ts';
import { type Colour, hsl, sceneOf } from './scene.ts';

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

/** The colour at y in one column; whatever depends on x alone is computed once per column. */
export type Paint = (x: number) => (y: number) => Colour;

/** `paint` is called for the centre of each pixel, in shares of width and height. */
export function encodePng(width: number, height: number, paint: Paint): Buffer {
  const stride = width * 3 + 1;
  const raw = Buffer.alloc(stride * height);
  for (let x = 0; x < width; x++) {
    const column = paint((x + 0.5) / width);
    for (let y = 0; y < height; y++) {
      const [r, g, b] = column((y + 0.5) / height);
      const at = y * stride + 1 + x * 3;
      raw[at] = r;
      raw[at + 1] = g;
      raw[at + 2] = b;
    }
  }
  // From the last row up, so that each is filtered against the unmodified row above.
  for (let y = height - 1; y >= 0; y--) {
    raw[y * stride] = 2;
    for (let i = y * stride + 1; y > 0 && i < (y + 1) * stride; i++) {
      raw[i] = ((raw[i] as number) - (raw[i - stride] as number)) & 0xff;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const blend = (a: Colour, b: Colour, share: number): Colour => [
  Math.round(a[0] + (b[0] - a[0]) * share),
  Math.round(a[1] + (b[1] - a[1]) * share),
  Math.round(a[2] + (b[2] - a[2]) * share),
];

function scenePaint(description: string): Paint {
  const { sky, sun, hills, boxes } = sceneOf(description);
  return (x) => {
    const tops = hills.map(({ base, height, length, phase }) => base + height * Math.sin(length * x + phase));
    const here = boxes.filter((box) => x >= box.x && x < box.x + box.width);
    const dx = (x - sun.x) ** 2;
    return (y) => {
      for (let i = hills.length - 1; i >= 1; i--)
        if (y > (tops[i] as number)) return hills[i]?.colour ?? sky[0];
      const box = here.findLast((b) => y >= b.y && y < b.y + b.height);
      if (box) return box.colour;
      if (y > (tops[0] ?? 1)) return hills[0]?.colour ?? sky[0];
      // The height is 9/16 of the width, and the sun's radius a share of the width.
      const dy = ((y - sun.y) * 9) / 16;
      return dx + dy * dy < sun.radius * sun.radius ? sun.colour : blend(sky[0], sky[1], y);
    };
  };
}

function radarPaint(description: string): Paint {
  const random = stream(description);
  const cells = Array.from({ length: 6 }, () => ({
    x: random.next(),
    y: random.next(),
    r: 0.05 + 0.12 * random.next(),
  }));
  return (x) => (y) => {
    const rain = cells.reduce(
      (sum, c) => sum + Math.exp(-((x - c.x) ** 2 + (y - c.y) ** 2) / (c.r * c.r)),
      0,
    );
    if (rain > 0.75) return hsl(225, 0.6, 0.42);
    if (rain > 0.4) return hsl(205, 0.55, 0.62);
    return x + 0.25 * Math.sin(6 * y) > 0.55 ? [214, 226, 230] : [226, 222, 200];
  };
}

export function pngOf(description: string): Buffer {
  switch (description.split(' ')[0]) {
    case 'scene':
      return encodePng(320, 180, scenePaint(description));
    case 'radar':
      return encodePng(240, 135, radarPaint(description));
    default:
      // The icon: a wave.
      return encodePng(
        16,
        16,
        (x) => (y) => (y > 0.55 + 0.15 * Math.sin(x * 9) ? [122, 35, 24] : [251, 249, 244]),
      );
  }
}
