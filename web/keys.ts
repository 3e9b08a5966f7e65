/**
 * Keys that hold everywhere: `/` search, `j` and `k` down and up the list, `?` the list of keys. A place may hear more of them
 * (`←` and `→` step through versions). What is typed into a field stays there, and so do keys with Ctrl, Alt or Meta.
 */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return !target.closest('input, textarea, select, dialog[open], [contenteditable="true"]');
}

/** Rows of a list: each holds the link that opens it. */
const ROWS = '[data-row]';

/** Moves the focus to the next row, or the one before. */
export function stepRow(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].filter((row) => row.offsetParent !== null);
  if (rows.length === 0) return false;
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[now < 0 ? (by > 0 ? 0 : rows.length - 1) : now + by];
  const link = next?.matches('a, button') ? next : next?.querySelector<HTMLElement>('a, button');
  link?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}

/** `←` and `→` as a step of -1 or 1. */
export function versionStep(event: KeyboardEvent): -1 | 1 | undefined {
  if (!isForPage(event) || event.shiftKey) return undefined;
  return event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined;
}
