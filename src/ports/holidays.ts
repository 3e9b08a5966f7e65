import type { HolidayTest } from '../model/pattern.ts';

/** Days off by region: a country such as `DE`, or a part of one such as `DE-BY`. Undefined where none are known. */
export type Holidays = (region: string) => Promise<HolidayTest | undefined>;
