/** A figure in words and numbers. The command line draws it: nothing here knows of SVG. */

export interface PlotPoint {
  readonly x: number | string | Date;
  readonly y: number;
  /** Ends of an error bar. */
  readonly interval?: readonly [low: number, high: number];
  /** Of a stem: a line at its height, from `x` to here. */
  readonly until?: number;
}

/** An error bar of this half height. */
export const around = (y: number, spread: number): readonly [number, number] => [y - spread, y + spread];

export interface PlotSeries {
  readonly name: string;
  readonly points: readonly PlotPoint[];
  /** A dashed line at this height. */
  readonly level?: number;
}

export interface PlotDescription {
  readonly title: string;
  /** For readers that do not see it. */
  readonly description?: string;
  /** Name of its file, without the ending; that of the experiment unless given. */
  readonly file?: string;
  /** What stands along the axes, with units. */
  readonly x: string;
  readonly y: string;
  /**
   * lines: one colour a series. panels: one small chart a series, in steps. bars: one series, names along x, drawn to the
   * right. stems: from 0 to y at each x. heat: one strip a series, the darker the greater y, within `range`.
   */
  readonly kind: 'lines' | 'panels' | 'bars' | 'stems' | 'heat';
  /** Least and greatest y; those of the points unless given. */
  readonly range?: readonly [low: number, high: number];
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly series: readonly PlotSeries[];
}
