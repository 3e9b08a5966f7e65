import type { CapturedPage, SiteCapture } from '../src/model/site-capture.ts';
import type { FoundUrl } from '../src/science/sharpness/breadth-first-places.ts';

export const START = Date.UTC(2026, 10, 2, 9, 0, 0);
export const sha = (text: string): string => text.padStart(64, '0');
export const url = (name: string): string => `https://example.org/${name}`;
export const at = (second: number): string => new Date(START + second * 1000).toISOString();

export interface Example {
  readonly name: string;
  readonly rate: number;
  /** Seconds. */
  readonly visit: number;
  readonly revisit?: number;
  readonly later?: 'same' | 'changed' | 'gone';
  readonly visiblyUnchanged?: boolean;
}

export function page({
  name,
  rate,
  visit,
  revisit,
  later = 'same',
  visiblyUnchanged,
}: Example): CapturedPage {
  const first = {
    at: START + visit * 1000,
    recordId: `<urn:${name}:v>`,
    sha256: sha(`a${name.length}`),
    status: 200,
  };
  return {
    url: url(name),
    rate,
    visit: first,
    ...(revisit !== undefined && {
      revisit: {
        at: START + revisit * 1000,
        recordId: `<urn:${name}:r>`,
        sha256: later === 'same' ? first.sha256 : sha(`b${name.length}`),
        status: later === 'gone' ? 404 : 200,
        outcome: later,
      },
    }),
    ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
  };
}

export function capture(pages: readonly Example[]): SiteCapture {
  return {
    key: 'k',
    seeds: [url('p0')],
    startedAt: START - 1000,
    finishedAt: START + 100_000,
    order: 'sharc-online',
    revisit: 'sharp',
    pages: pages.map(page),
  };
}

export const foundInOrder = (names: readonly string[]): FoundUrl[] =>
  names.map((name, i) => ({ url: url(name), isSeed: i === 0, ...(i > 0 && { via: url(names[0] ?? '') }) }));

export const context = (names: readonly string[]) => ({
  software: 'Daguerre/test',
  clock: 'test',
  found: foundInOrder(names),
});

export const NAMES = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
