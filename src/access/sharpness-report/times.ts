/** Texts of times and rates, the same in the text and on the page. */

/** `2026-11-02 09:00:01.234 UTC` */
export const momentText = (iso: string): string => iso.replace('T', ' ').replace('Z', ' UTC');

export const isoOf = (at: number): string => new Date(at).toISOString();

/** Of a span in milliseconds. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${(hours / 24).toFixed(1)} days`;
}

/** Three significant digits. */
export function numberText(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 0.001 && size < 1e6
    ? String(Number(value.toPrecision(3)))
    : value.toExponential(2).replace('e+', 'e');
}

export const percentText = (share: number): string => `${(100 * share).toFixed(1)} %`;

export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${units[unit]}`;
}

/** Seconds in a day: rates are shown per day, where people can picture them. */
export const DAY = 86_400;

/** How a page fared: the colours and words of every figure and table. */
export const FATES = {
  strict: { colour: '#0072b2', mark: '=', words: 'same bytes' },
  visible: { colour: '#56b4e9', mark: '~', words: 'looks the same' },
  changed: { colour: '#d55e00', mark: '!', words: 'changed' },
  gone: { colour: '#7f3b08', mark: 'x', words: 'gone' },
  cut: { colour: '#cc79a7', mark: '/', words: 'cut short' },
  single: { colour: '#9a9a9a', mark: '.', words: 'visited once' },
} as const;

export type Fate = keyof typeof FATES;
