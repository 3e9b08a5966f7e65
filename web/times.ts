/** Times between fields of forms, which have the reader's zone, and addresses, which have UTC. */

const two = (value: number): string => String(value).padStart(2, '0');

/** For `datetime-local`: `2026-03-02T09:00:00` in the reader's zone, with what there is of a second; '' for what is no time. */
export function toInput(iso: string | undefined): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const part = date.getMilliseconds();
  const seconds = `${two(date.getSeconds())}${part === 0 ? '' : `.${String(part).padStart(3, '0')}`}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}

/** ISO 8601 in UTC; '' for what is no time. */
export function fromInput(local: string): string {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** For `date`: `2026-03-02` in the reader's zone. */
export const toDay = (iso: string | undefined): string => toInput(iso).slice(0, 10);

/** The seven days of the reader up to a moment. */
export function weekUpTo(at: number): { readonly from: string; readonly to: string } {
  const dayOf = (time: number): string => toDay(new Date(time).toISOString());
  return { from: fromDay(dayOf(at - 6 * DAY), 'start'), to: fromDay(dayOf(at), 'end') };
}

const DAY = 86_400_000;

/** The first or the last moment of a day of the reader. */
export function fromDay(day: string, side: 'start' | 'end'): string {
  return day === '' ? '' : fromInput(`${day}T${side === 'start' ? '00:00:00' : '23:59:59.999'}`);
}
