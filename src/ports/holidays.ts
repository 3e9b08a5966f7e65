/** Whether a local date, `YYYY-MM-DD`, is a day off there. */
export type DayOff = (localDate: string) => boolean;

/** Days off by region: a country such as `DE`, or a part of one such as `DE-BY`. Undefined where none is known. */
export type Holidays = (region: string) => Promise<DayOff | undefined>;
