/** The drawing behind every photograph: one set of shapes, drawn as a large SVG and a small PNG. */
import { stream } from '../random.ts';
import { isSection, SECTIONS } from '../sections.ts';

export type Colour = readonly [red: number, green: number, blue: number];

/** All lengths as shares of the picture's width and height. */
export interface Scene {
  readonly sky: readonly [Colour, Colour];
  readonly sun: { readonly x: number; readonly y: number; readonly radius: number; readonly colour: Colour };
  /** From far to near: a wave y = base + height·sin(length·x + phase), filled below. */
  readonly hills: readonly {
    readonly base: number;
    readonly height: number;
    readonly length: number;
    readonly phase: number;
    readonly colour: Colour;
  }[];
  /** Upright boxes on the horizon: houses, ships, stands. */
  readonly boxes: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly colour: Colour;
  }[];
}

/** hue in degrees, the others 0..1 */
export function hsl(hue: number, saturation: number, lightness: number): Colour {
  const a = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Morning, noon, evening and dusk: top and bottom of the sky. */
const SKIES: readonly Scene['sky'][] = [
  [hsl(205, 0.45, 0.7), hsl(42, 0.6, 0.92)],
  [hsl(190, 0.32, 0.76), hsl(52, 0.45, 0.95)],
  [hsl(228, 0.35, 0.36), hsl(24, 0.78, 0.76)],
  [hsl(262, 0.25, 0.42), hsl(345, 0.6, 0.84)],
];

/** `description` is the picture's content: "scene <section> <number> <photo> <seed>". */
export function sceneOf(description: string): Scene {
  const random = stream(description);
  const section = description.split(' ')[1] ?? '';
  const hue = (isSection(section) ? SECTIONS[section].hue : 40) + random.int(40) - 20 + 360;
  const sky = random.pick(SKIES);
  const count = 3 + random.int(2);
  const horizon = 0.45 + 0.15 * random.next();
  const hills = Array.from({ length: count }, (_, i) => ({
    base: horizon + ((1 - horizon) * i) / count,
    height: 0.02 + 0.06 * random.next(),
    length: 3 + 9 * random.next(),
    phase: 6.28 * random.next(),
    colour: hsl(hue % 360, 0.32 + 0.06 * i, 0.56 - 0.11 * i),
  }));
  const boxes = Array.from({ length: 3 + random.int(7) }, () => {
    const height = 0.06 + 0.2 * random.next();
    return {
      x: 0.95 * random.next(),
      y: horizon - height + 0.04,
      width: 0.02 + 0.06 * random.next(),
      height: height + 0.06,
      colour: hsl((hue + random.int(60)) % 360, 0.3, 0.3 + 0.2 * random.next()),
    };
  });
  return {
    sky,
    sun: {
      x: 0.12 + 0.76 * random.next(),
      y: 0.14 + 0.25 * random.next(),
      radius: 0.05 + 0.06 * random.next(),
      colour: hsl(38 + random.int(16), 0.95, 0.8 + 0.1 * random.next()),
    },
    hills,
    boxes,
  };
}
