/**
 * Advertisements and tokens: bytes that differ from request to request, or every few minutes, and say nothing about the
 * news. The truth lists ad rotations separately, with importance 0.
 */
import type { Millis } from '../../../model/time.ts';
import { MINUTE } from '../days.ts';
import { hashKeys, type RandomKey, uniform } from '../random.ts';
import { AD_COPY } from '../words.ts';
import { escapeHtml } from './parts.ts';

export type AdMode = 'off' | 'timed' | 'per-request';

export const AD_INTERVAL = 7 * MINUTE;
export const CAMPAIGNS = AD_COPY.length;

/** The campaign in a slot at a time; slots rotate at different moments. */
export function campaignAt(seed: number, path: string, slot: string, time: Millis, interval: number): number {
  const offset = Math.floor(uniform(seed, 'ad phase', slot) * interval);
  return Math.floor(uniform(seed, 'ad', path, slot, Math.floor((time + offset) / interval)) * CAMPAIGNS);
}

/** Times in (from, to] at which the slot rotates. */
export function rotationTimes(
  seed: number,
  slot: string,
  from: Millis,
  to: Millis,
  interval: number,
): Millis[] {
  const offset = Math.floor(uniform(seed, 'ad phase', slot) * interval);
  const times: Millis[] = [];
  for (let k = Math.floor((from + offset) / interval) + 1; k * interval - offset <= to; k++)
    times.push(k * interval - offset);
  return times;
}

const [BANNER_WIDTH, BANNER_HEIGHT] = [728, 90];

export function adHtml(slot: string, campaign: number): string {
  const [name = ''] = AD_COPY[campaign] ?? [];
  const open = `<aside class="ad-slot" data-slot="${slot}"><small>Advertisement</small>`;
  if (slot === 'side' || slot === 'inline') {
    const [width, height] = slot === 'side' ? [275, 230] : [560, 110];
    return `${open}<iframe src="/ads/frame-${slot}.html?c=${campaign}" width="${width}" height="${height}" title="Advertisement"></iframe></aside>\n`;
  }
  return `${open}<a href="/ads/go/${campaign}" rel="sponsored"><img src="/ads/banner-${campaign}.svg" width="${BANNER_WIDTH}" height="${BANNER_HEIGHT}" alt="${escapeHtml(name)}"></a></aside>\n`;
}

/** The document inside the iframe; `draw` differs with every request. */
export function adFrame(campaign: number, draw: number): string {
  const [name = '', line = ''] = AD_COPY[campaign] ?? [];
  const hue = Math.floor(draw * 360);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Advertisement</title><style>body{margin:0;height:100vh;display:grid;place-content:center;text-align:center;font:15px/1.4 sans-serif;background:hsl(${hue} 45% 88%)}b{font-size:20px}a{color:inherit}</style></head><body><a href="/ads/go/${campaign}" target="_top" rel="sponsored"><b>${escapeHtml(name)}</b><br>${escapeHtml(line)}</a></body></html>\n`;
}

export function adBanner(campaign: number): string {
  const [name = '', line = ''] = AD_COPY[campaign] ?? [];
  const hue = (campaign * 137) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${BANNER_WIDTH} ${BANNER_HEIGHT}" width="${BANNER_WIDTH}" height="${BANNER_HEIGHT}" font-family="sans-serif"><rect width="100%" height="100%" fill="hsl(${hue} 45% 30%)"/><circle cx="640" cy="20" r="90" fill="hsl(${hue} 50% 40%)"/><circle cx="60" cy="95" r="60" fill="hsl(${(hue + 40) % 360} 50% 45%)"/><text x="140" y="44" font-size="28" font-weight="700" fill="#fff">${escapeHtml(name)}</text><text x="140" y="70" font-size="17" fill="#fff">${escapeHtml(line)}</text></svg>`;
}

export const token = (...keys: RandomKey[]): string =>
  [0, 1, 2, 3]
    .map((part) =>
      hashKeys(['token', ...keys, part])
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');

export const nonceHtml = (value: string): string => `<meta name="request-id" content="${value}">\n`;

/** A served page without ads and tokens: equal to the editorial bytes of the version it shows. */
export function stripNoise(html: string): string {
  return html
    .replace(/<aside class="ad-slot".*?<\/aside>\n/gs, '')
    .replace(/<meta name="request-id" content="[0-9a-f]*">\n/, '')
    .replace(/(name="csrf" value=")[0-9a-f]*/, '$1');
}
