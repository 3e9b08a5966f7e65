import { describe, expect, it } from 'vitest';
import type { Progress } from '../loop/progress.ts';
import { progressLine } from './progress-line.ts';
import { say, statusLine } from './status-line.ts';
import { stepLine } from './step-line.ts';
import { columnsOf, cutToColumns } from './terminal-text.ts';

/** As much of a terminal as the status line needs: wraps at its width, and rewraps when it is resized. */
function terminal(columns: number) {
  const lines: string[] = [''];
  return {
    isTTY: true,
    columns,
    write(text: string): void {
      const width = this.columns;
      // Escape is shown as U+241B, so that patterns can name it.
      for (const [part] of text.replaceAll('\u001b', '␛').matchAll(/␛\[\d*[A-Z]|[\s\S]/gu)) {
        const up = /^␛\[(\d+)A$/.exec(part);
        if (up) {
          // Rows of one wrapped line: the cursor moves to the first of them.
          expect(Math.ceil(columnsOf(lines.at(-1) ?? '') / width)).toBe(Number(up[1]) + 1);
        } else if (part === '␛[J' || part === '␛[K') lines[lines.length - 1] = '';
        else if (part === '\n') lines.push('');
        else if (part !== '\r') lines[lines.length - 1] += part;
      }
    },
    shown: () => lines,
  };
}

const PROGRESS: Progress = {
  captured: 120,
  unchanged: 30,
  dropped: 0,
  redirects: 2,
  failed: 1,
  resources: 700,
  skipped: 9,
  pending: 4321,
  bytes: 12_345_678,
  rate: 1.25,
  timeLeft: 3_456_000,
};

describe('progress', () => {
  it.each([200, 80, 60, 40, 20, 8])('in %i columns => one line that fits, whole words first', (columns) => {
    const screen = terminal(columns);
    const line = progressLine(screen, () => 0);
    line.show(PROGRESS);
    line.show(PROGRESS);
    expect(screen.shown()).toHaveLength(1);
    const [text = ''] = screen.shown();
    expect(columnsOf(text)).toBeLessThan(columns);
    expect(text).toMatch(columns < 12 ? /^153/ : /^153 pages/);
    expect(text).not.toMatch(/ ·$/);
    if (columns >= 60) expect(text).toContain('about 57 min 36 s for what is known');
    if (columns >= 40) expect(text).not.toContain('…');
  });

  it('a page limit => of at most so many, and the time to it', () => {
    const screen = terminal(200);
    progressLine(screen, () => 0).show({
      ...PROGRESS,
      pageLimit: 200,
      timeLeft: 37_600,
      bound: 'page-limit',
    });
    expect(screen.shown()[0]).toMatch(/^153 pages of at most 200 · .* · about 38 s to the page limit$/);
  });

  it('no terminal => a plain line each 10 s, no control characters', () => {
    let now = 0;
    const written: string[] = [];
    const line = progressLine({ write: (text: string) => written.push(text) }, () => now);
    for (; now <= 25_000; now += 500) line.show(PROGRESS);
    line.end();
    expect(written).toHaveLength(2);
    for (const text of written) expect(text).toMatch(/^153 pages\P{Cc}*\n$/u);
  });
});

describe('the status line', () => {
  it('a window that becomes narrower => the rows of the old line are gone', () => {
    const screen = terminal(80);
    const line = statusLine(screen, 'xterm');
    line.show((columns) => 'x'.repeat(columns));
    screen.columns = 30;
    line.show(() => 'short');
    expect(screen.shown()).toEqual(['short']);
  });

  it('something to say meanwhile => a line of its own, the status below it', () => {
    const screen = terminal(80);
    const line = statusLine(screen, 'xterm');
    line.show(() => 'working');
    say(screen, 'Stopping.');
    line.show(() => 'working on');
    line.end();
    line.end();
    expect(screen.shown()).toEqual(['Stopping.', 'working on', '']);
  });

  it('a terminal without cursor, or none => nothing', () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
    statusLine(stream, 'dumb').show(() => 'x');
    statusLine({ ...stream, isTTY: false }, 'xterm').show(() => 'x');
    expect(written).toEqual([]);
  });

  it('a file with a long name in wide characters => the name is cut, its numbers stay', () => {
    const screen = terminal(40);
    stepLine(screen).show(`${'新聞'.repeat(20)}.warc.gz`, 50, 100);
    const [text = ''] = screen.shown();
    expect(text).toMatch(/^50% of (?:新聞)+新?… \(100 B\)$/);
    expect(columnsOf(text)).toBeLessThan(40);
  });
});

it.each([
  ['abc', 3],
  ['新聞', 4],
  ['한국', 4],
  ['👩‍👩‍👧', 2],
  ['e\u0301', 1],
  ['·…', 2],
  ['a\u200bb', 2],
])('%s => %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it('control characters of a file name => no harm', () => {
  expect(cutToColumns('a\u001b[2Jb\n', 20)).toBe('a\ufffd[2Jb\ufffd');
});
