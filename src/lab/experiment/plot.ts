/** A figure in words and numbers. The command line draws it: nothing here knows about SVG. */

export interface PlotPoint {
  readonly x: number | string | Date;
  readonly y: number;
  /** Ends of an error bar. */
  readonly interval?: readonly [low: number, high: number];
  /** For a stem: a line at its height, from `x` to here. */
  readonly until?: number;
}

/** An error bar that extends this far each way. */
export const around = (y: number, spread: number): readonly [number, number] => [y - spread, y + spread];

export interface PlotSeries {
  readonly name: string;
  readonly points: readonly PlotPoint[];
  /** A dashed line at this height. */
  readonly level?: number;
}

export interface PlotDescription {
  readonly title: string;
  /** For readers who cannot see it. */
  readonly description?: string;
  /** File name without the extension; the experiment's name unless given. */
  readonly file?: string;
  /** Labels of the axes, with units. */
  readonly x: string;
  readonly y: string;
  /**
   * lines: one colour per series. panels: one small step chart per series. bars: one series, names along x, drawn to the
   * right. stems: from 0 to y at each x. heat: one strip per series, darker for greater y, within `range`.
   */
  readonly kind: 'lines' | 'panels' | 'bars' | 'stems' | 'heat';
  /** Smallest and largest y; by default those of the points. */
  readonly range?: readonly [low: number, high: number];
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly series: readonly PlotSeries[];
}
