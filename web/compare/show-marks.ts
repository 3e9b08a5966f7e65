/** Scrolls to the marks of an operation: to both sides where one window shows them, else to the later one. */
export function showMarks(within: HTMLElement, operation: number): void {
  const boxes = [...within.querySelectorAll(`[data-operations~="${operation}"]`)].map((mark) =>
    mark.getBoundingClientRect(),
  );
  const last = boxes.at(-1);
  if (!last) return;
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const [from, to] = bottom - top <= innerHeight ? [top, bottom] : [last.top, last.bottom];
  // Of a block higher than the window its beginning is shown.
  const by = Math.min((from + to - innerHeight) / 2, from - EDGE);
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollBy({ top: by, behavior: isCalm ? 'auto' : 'smooth' });
}

/** Pixels above it. */
const EDGE = 24;
