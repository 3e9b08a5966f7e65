/** What a page is shown on. */
export interface Device {
  readonly name: string;
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly scale: number;
  /** Pages are laid out for a small screen (`<meta name=viewport>`), with touch. */
  readonly mobile: boolean;
  /** The system as a browser on the device gives it, inside the brackets of the user agent; '' for that of the crawl. */
  readonly system: string;
}

const device = (name: string, size: readonly [number, number], scale: number, system: string): Device => ({
  name,
  width: size[0],
  height: size[1],
  scale,
  mobile: system !== '',
  system,
});

const IPHONE = 'iPhone; CPU iPhone OS 18_0 like Mac OS X';

/** Sizes as given by the makers, in CSS pixels, upright. */
export const DEVICES: readonly Device[] = [
  device('Pixel 9', [412, 924], 2.625, 'Linux; Android 15; Pixel 9'),
  device('Pixel 9 Pro XL', [448, 997], 3, 'Linux; Android 15; Pixel 9 Pro XL'),
  device('Galaxy S24', [360, 780], 3, 'Linux; Android 14; SM-S921B'),
  device('iPhone SE', [375, 667], 2, IPHONE),
  device('iPhone 16', [393, 852], 3, IPHONE),
  device('iPhone 16 Pro Max', [440, 956], 3, IPHONE),
  device('iPad', [820, 1180], 2, 'iPad; CPU OS 18_0 like Mac OS X'),
  device('Laptop', [1440, 900], 1, ''),
  device('Desktop', [1920, 1080], 1, ''),
];

/** By name, ignoring case and punctuation; undefined if there is no such device. */
export function deviceNamed(name: string): Device | undefined {
  const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/gu, '');
  return DEVICES.find((one) => letters(one.name) === letters(name));
}

/** What a page was shown on, from the window size in its snapshot; any other size is taken for a plain window. */
export const deviceOfSize = ({ width, height }: Pick<Device, 'width' | 'height'>): Device =>
  DEVICES.find((one) => one.width === width && one.height === height) ??
  device(`${width} × ${height}`, [width, height], 1, '');
