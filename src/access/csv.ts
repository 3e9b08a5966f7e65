/** A line of RFC 4180. */
export const csvLine = (cells: readonly unknown[]): string =>
  `${cells.map((cell) => quoted(cellText(cell))).join(',')}\r\n`;

/** Lists and objects stand as JSON. */
function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return harmless(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What spreadsheets take for the beginning of a formula, after the apostrophes of texts that would be taken for a guarded one. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Titles and addresses come from anywhere, and a spreadsheet runs `=HYPERLINK(…)` for whoever opens the table. Such a text gets an apostrophe,
 * which says that it is text; taking one away gives back what stood there. Numbers stay as they are.
 */
const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
