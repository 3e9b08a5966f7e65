/** What a chart shows, in plain values: the library that draws it is fetched when the first one is on the screen. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export type ChartSpec =
  /** Values over time. */
  | {
      readonly kind: 'times';
      readonly series: readonly Series[];
      readonly unit: 'count' | 'bytes' | 'share';
      /** Bars from nothing, rather than a line. */
      readonly bars?: boolean;
    }
  /** By slot of the day, one row for each class of days. */
  | {
      readonly kind: 'rhythm';
      readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
      /** What stands below each period; '' where nothing does. */
      readonly labels: readonly string[];
      /** The period in which the next change is expected. */
      readonly next?: { readonly row: number; readonly period: number };
    }
  /** Figures of the lab. */
  | {
      readonly kind: 'figure';
      readonly shape: 'line' | 'bar' | 'points';
      readonly x: string;
      readonly y: string;
      readonly series: readonly { readonly name: string; readonly points: readonly FigurePoint[] }[];
    };

export interface FigurePoint {
  readonly x: number | string;
  readonly y: number;
  readonly interval?: readonly [number, number];
}
