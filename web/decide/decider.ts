/** Who decides, kept in this browser so that it is written once. */
const KEPT = 'daguerre-decider';

export function decider(): string {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

export function keepDecider(name: string): void {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // Storage is refused: the name is written again next time.
  }
}
